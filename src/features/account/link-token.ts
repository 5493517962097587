/** The token of the link that was opened, or '' if the link was cut off. It stands behind `#`, so no server sees it. */
export const readLinkToken = (): string => new URLSearchParams(location.hash.slice(1)).get('t') ?? '';

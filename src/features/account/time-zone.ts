/** The server mentions it in the e-mail about a new device. */
export const getTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

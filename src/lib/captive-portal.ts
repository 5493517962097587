/** The message of a failed attempt whose response came from a captive portal or proxy instead of the server. */
export const CAPTIVE_PORTAL_MESSAGE = 'This Wi-Fi wants you to sign in';

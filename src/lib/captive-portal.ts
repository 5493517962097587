/** The message of a failed attempt whose answer came from something between us and the server, such as a Wi-Fi sign-in page. */
export const CAPTIVE_PORTAL_MESSAGE = 'This Wi-Fi wants you to sign in';

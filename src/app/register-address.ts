/** Where 'Sign up' leads: our own page, or another site's set at build time. */
export const REGISTER_ADDRESS: string = import.meta.env['VITE_REGISTER_URL'] ?? '/register';

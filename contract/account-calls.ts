import type { Endpoint } from './section.ts';

/** Endpoints of the account, which only its own screens call: the first page does without them. */
export const ACCOUNT_CALLS = {
  register: { method: 'POST', path: '/register', isExtension: true },
  login: { method: 'POST', path: '/login', isExtension: true },
  logout: { method: 'POST', path: '/logout' },
  sessions: { method: 'GET', path: '/sessions', isExtension: true },
  endSession: { method: 'DELETE', path: '/sessions/:id', isExtension: true },
  changePassword: { method: 'PUT', path: '/password', isExtension: true },
  forgotPassword: { method: 'POST', path: '/password/forgot', isExtension: true },
  resetPassword: { method: 'POST', path: '/password/reset', isExtension: true },
  checkLink: { method: 'POST', path: '/links/check', isExtension: true },
  changeName: { method: 'PUT', path: '/name', isExtension: true },
  changeEmail: { method: 'PUT', path: '/email', isExtension: true },
  verifyEmail: { method: 'POST', path: '/email/verify', isExtension: true },
  sendVerification: { method: 'POST', path: '/email/verify/send', isExtension: true },
  secureAccount: { method: 'POST', path: '/secure', isExtension: true },
  settings: { method: 'GET', path: '/settings', isExtension: true },
  changeSettings: { method: 'PUT', path: '/settings', isExtension: true },
  exportAccount: { method: 'GET', path: '/account/export', isExtension: true },
  deleteAccount: { method: 'DELETE', path: '/account', isExtension: true },
} as const satisfies Record<string, Endpoint>;

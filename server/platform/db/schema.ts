/** All tables of the database. A change here needs a migration: `npx drizzle-kit generate`. */
export * from './schema/people.ts';
export * from './schema/content.ts';
export * from './schema/chat.ts';
export * from './schema/casting.ts';
export * from './schema/links.ts';
export * from './schema/availability.ts';
export * from './schema/delivery.ts';
export * from './schema/read-models.ts';
export * from './schema/mail.ts';
export * from './schema/offices.ts';
export * from './schema/sign-in.ts';
export * from './schema/consent.ts';
export * from './schema/push.ts';
export * from './schema/desk.ts';

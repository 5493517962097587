/** A file that is not taken, said in a performer's words; the route puts it under the field it came in. */
export class FileRefused extends Error {}

/** Whether our own disk is what failed, which is no fault of the file's. */
export const isOurs = (error: unknown) => /^E[A-Z]+$/.test(String((error as { code?: unknown }).code ?? ''));

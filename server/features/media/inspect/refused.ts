/** A refused file, with a message for the user. The route reports it under the file's field. */
export class FileRefused extends Error {}

/** Whether the server's disk failed, rather than the file being invalid. */
export const isOurs = (error: unknown) => /^E[A-Z]+$/.test(String((error as { code?: unknown }).code ?? ''));

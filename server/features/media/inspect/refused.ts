/** A file that is not taken, said in a performer's words; the route puts it under the field it came in. */
export class FileRefused extends Error {}

/** Why a job failed, for operators. It names no person, address or content, because it is stored, shown and logged. */
export interface JobFailure {
  /** An SQLSTATE, a code of the operating system or of a library, or the name of the error. */
  code: string;
  /** Where to look: a constraint, or the line of code. */
  hint: string;
}

/** A failure that a job describes itself. */
export class JobError extends Error implements JobFailure {
  override name = 'JobError';
  readonly code: string;
  readonly hint: string;

  constructor(code: string, hint: string) {
    super(`${code}: ${hint}`);
    this.code = code;
    this.hint = hint;
  }
}

/** The first line of a stack that is ours, without the folder. */
function findLine(stack = ''): string {
  const lines = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const own = lines.find((line) => !/node_modules|node:/.test(line)) ?? lines[0] ?? '';
  return /([\w.-]+\.(?:ts|js|mjs):\d+)/.exec(own)?.[1] ?? 'no line of code is known';
}

/** Describes an error without its message, which may name a person. */
export function describeFailure(error: unknown): JobFailure {
  if (error instanceof JobError) return { code: error.code, hint: error.hint };
  if (!(error instanceof Error)) return { code: 'unknown', hint: `a ${typeof error} was thrown` };
  // Drizzle wraps the error of the database.
  const cause = error.cause instanceof Error ? error.cause : error;
  const { code, constraint, table } = cause as { code?: unknown; constraint?: unknown; table?: unknown };
  const place = [table, constraint].filter((part) => typeof part === 'string').join(' ');
  return { code: typeof code === 'string' ? code : cause.name, hint: place || findLine(cause.stack) };
}

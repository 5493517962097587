import type { AccountDb } from '#db/database.ts';
import type { FieldValues, OutboxRow } from '#db/rows.ts';
import type { WireAnswer } from '#net/wire.ts';
import type { Clock, Ports, Transport } from './ports.ts';
import type { Verdict } from './send/verdict.ts';

/** The server ids of a row's record and of its parent. */
export interface ServerIds {
  target: string;
  parent: string | null;
}

/** Classifies a response to the row. */
type ReadAnswer = (answer: WireAnswer) => Verdict;
interface ProbePorts {
  transport: Transport;
  clock: Clock;
}

/** Code that only conflicts and basic-API servers need. */
export interface ConflictTools {
  /**
   * Fetches the server's current copy of a row's record; null when it is gone.
   * @param given the record of the 412, if any
   */
  fetchTheirs(
    db: AccountDb,
    ports: Pick<ProbePorts, 'transport'>,
    row: OutboxRow,
    ids: ServerIds,
    given: FieldValues | null,
  ): Promise<{ theirs: FieldValues | null } | { failed: WireAnswer }>;
  /** Checks whether an earlier attempt to create a record reached the server. */
  probeCreate(
    db: AccountDb,
    ports: ProbePorts,
    row: OutboxRow,
    profileId: string | null,
    read: ReadAnswer,
  ): Promise<Verdict | 'not there'>;
  /**
   * Checks whether an earlier attempt to send a message reached the server. Only pages have it; the worker does not.
   */
  probeMessage?(
    db: AccountDb,
    ports: Pick<ProbePorts, 'transport'>,
    row: OutboxRow,
    read: ReadAnswer,
  ): Promise<Verdict | 'not there'>;
}

/** The ports of the complete engine. */
export interface EnginePorts extends Ports {
  /** A page loads the tools on the first conflict or basic-API server; the worker has them bundled. */
  loadConflictTools(): Promise<ConflictTools>;
}

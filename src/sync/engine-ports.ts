import type { AccountDb } from '#db/database.ts';
import type { FieldValues, OutboxRow } from '#db/rows.ts';
import type { WireAnswer } from '#net/wire.ts';
import type { Clock, Ports, Transport } from './ports.ts';
import type { Verdict } from './send/verdict.ts';

/** The server's ids of what a row is about. */
export interface ServerIds {
  target: string;
  parent: string | null;
}

/** What an answer to the row means. */
type ReadAnswer = (answer: WireAnswer) => Verdict;
interface ProbePorts {
  transport: Transport;
  clock: Clock;
}

/** Code that only conflicts and basic servers need. */
export interface ConflictTools {
  /** The record under a change as the server has it now; null where it is gone. @param given what a 412 brought already */
  fetchTheirs(
    db: AccountDb,
    ports: Pick<ProbePorts, 'transport'>,
    row: OutboxRow,
    ids: ServerIds,
    given: FieldValues | null,
  ): Promise<{ theirs: FieldValues | null } | { failed: WireAnswer }>;
  /** Looks whether an earlier attempt to create a record reached the server. */
  probeCreate(
    db: AccountDb,
    ports: ProbePorts,
    row: OutboxRow,
    profileId: string | null,
    read: ReadAnswer,
  ): Promise<Verdict | 'not there'>;
  /** Looks whether an earlier attempt to send a message reached the server. Pages have it; the worker does not. */
  probeMessage?(
    db: AccountDb,
    ports: Pick<ProbePorts, 'transport'>,
    row: OutboxRow,
    read: ReadAnswer,
  ): Promise<Verdict | 'not there'>;
}

/** The ports of a whole engine. */
export interface EnginePorts extends Ports {
  /** A page fetches the tools when it meets a conflict or a basic server; the worker has them bundled. */
  loadConflictTools(): Promise<ConflictTools>;
}

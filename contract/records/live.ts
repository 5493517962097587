import type { Message } from './chat.ts';
import type { Notification } from './notifications.ts';

/** The live event `ReceiptChanged`: how far the other person of a conversation has received and read it. */
export interface ReceiptChanged {
  conversation_id: string;
  delivered_seq: number;
  read_seq: number;
}

/** What one write changed, in a form from which devices derive their changed records. */
export interface CarriedChanges {
  message?: Message;
  /** The receiver's notification about `message`. */
  notification?: Notification;
  receipt?: ReceiptChanged;
}

/** The live event `RecordsChanged`: one write that changed records of a person. */
export interface RecordsChanged extends CarriedChanges {
  /** The types of all changed records. */
  types: string[];
  /** Whether all changes follow from what the event carries, so that devices need not pull. */
  is_whole: boolean;
}

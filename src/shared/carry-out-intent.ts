import { Bookmark, UserPlus } from 'lucide-react';
import { CALLS } from '#contract/calls.ts';
import type { Profile } from '#contract/records/profile.ts';
import { readConnectionState } from '#db/saved-and-connected.ts';
import type { VisitorIntent } from '#lib/visitor-intent.ts';
import { call } from '#net/client.ts';
import { toast } from '#ui/Toast.tsx';
import type { Account } from '#session/account.ts';

/**
 * Carries out the action that a visitor chose before signing in, and shows a toast. The change goes through the outbox,
 * so it survives a lost connection.
 * @throws {StorageError} if this device cannot store the change
 */
export async function carryOutIntent({ db, engine, user }: Account, intent: VisitorIntent): Promise<void> {
  const { kind, userId, profile } = intent;
  const name = profile.stage_name;
  if (userId === user.id) return;
  if (kind === 'save') {
    await engine.setSaved('saved_profile', profile, true);
    return toast({ text: `${name} is saved`, icon: Bookmark });
  }
  // A new device has no connections yet, so the server is asked. If it does not answer, it decides when the request
  // arrives.
  const answer = await call<Profile>(CALLS.profile, { params: { id: profile.id } });
  const connection = await readConnectionState(db, userId, answer.ok ? answer.data.connection : null);
  const person = { userId, name };
  const show = (text: string) => toast({ text, icon: UserPlus });
  if (connection.value === 'connected') return show(`You and ${name} are already connected`);
  if (connection.value === 'pending') return show(`You have already asked ${name}`);
  if (connection.value === 'asked' && connection.connectionId !== null) {
    await engine.accept(person, connection.connectionId);
    return show(`${name} had asked you first. You are connected`);
  }
  await engine.connect(person);
  show(`You asked ${name} to connect`);
}

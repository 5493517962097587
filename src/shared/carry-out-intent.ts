import { Bookmark, UserPlus } from 'lucide-react';
import { CALLS } from '#contract/calls.ts';
import type { Profile } from '#contract/records/profile.ts';
import { readConnectionState } from '#db/saved-and-connected.ts';
import type { VisitorIntent } from '#lib/visitor-intent.ts';
import { call } from '#net/client.ts';
import { toast } from '#ui/Toast.tsx';
import type { Account } from '#session/account.ts';

/**
 * Does what a visitor asked for before signing in, and says so. It goes through the outbox, so it survives a lost signal
 * from here on. Rejects with StorageError where this device cannot keep it.
 */
export async function carryOutIntent({ db, engine, user }: Account, intent: VisitorIntent): Promise<void> {
  const { kind, userId, profile } = intent;
  const name = profile.stage_name;
  if (userId === user.id) return;
  if (kind === 'save') {
    await engine.setSaved('saved_profile', profile, true);
    return toast({ text: `${name} is saved`, icon: Bookmark });
  }
  // This device knows of no connections yet. Where the server does not answer either, it settles it when the request arrives.
  const answer = await call<Profile>(CALLS.profile, { params: { id: profile.id } });
  const bond = await readConnectionState(db, userId, answer.ok ? answer.data.connection : null);
  const whom = { userId, name };
  const tell = (text: string) => toast({ text, icon: UserPlus });
  if (bond.value === 'connected') return tell(`You and ${name} are already connected`);
  if (bond.value === 'pending') return tell(`You have already asked ${name}`);
  if (bond.value === 'asked' && bond.connectionId !== null) {
    await engine.accept(whom, bond.connectionId);
    return tell(`${name} had asked you first. You are connected`);
  }
  await engine.connect(whom);
  tell(`You asked ${name} to connect`);
}

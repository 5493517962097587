import { expect, type Locator, type Page } from '@playwright/test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Device } from '../e2e/support/device.ts';
import type { Person } from '../e2e/support/people.ts';
import type { Prng } from '../sync/simulation/prng.ts';
import type { Ledger } from './ledger.ts';
import type { Trace } from './trace.ts';

/** Somebody else's profile, for saving, connecting and accepting. */
export interface Stranger {
  person: Person;
  profileId: string;
  address: string;
}

/** A member at one of their browsers. What two browsers of one member change is apart, field by field. */
export interface Player {
  /** Of the device, e.g. phone. */
  name: string;
  device: Device;
  person: Person;
  profileId: string;
  ledger: Ledger;
  prng: Prng;
  trace: Trace;
  conversation: string;
  /** The member it is with. */
  friend: Person;
  /** Texts this device says, again and again; no other says them. */
  phrases: readonly string[];
  /** Of the one credit that all browsers of a member edit, the field that this one does. */
  ownField: 'Role' | 'Director';
  toSave: readonly Stranger[];
  toConnect: Stranger[];
  toAccept: Stranger[];
  /** Numbers for names that nobody else gives. */
  count: number;
}

export interface Action {
  name: string;
  run(player: Player): Promise<void>;
}

const MAX_TRIES = 12;

/** Opens an address until something stands there: a network like this breaks some visits. */
export async function openUntil(player: Player, address: string, seen: (page: Page) => Locator): Promise<void> {
  const { page } = player.device;
  for (let tries = 1; ; tries += 1) {
    try {
      // The sign-in page of a Wi-Fi may be kept by the browser under this address; Reload asks anew.
      await (tries > 1 && page.url().startsWith('http') ? page.reload() : page.goto(address));
      await seen(page).waitFor({ timeout: 12_000 });
      return;
    } catch (error) {
      if (page.isClosed() || tries === MAX_TRIES) throw error;
      player.trace.note(player.name, `${address} did not come, opened again`);
    }
  }
}

const ownProfile = (page: Page) => page.getByRole('button', { name: 'Edit Profile' });

/** The cards come with the first pull, which a network like this can keep away for a while. */
const ownSkills = (page: Page) => page.getByRole('button', { name: /^(Add to Skills|Add a skill)/ }).first();

/** One's own profile, drawn from the device: no network is too bad for it. */
export async function openOwnProfile({ device }: Player): Promise<void> {
  await device.open('/');
  await expect(ownProfile(device.page)).toBeVisible();
}

/** The first visit, until the app opens without any network. */
export async function openFirstTime(player: Player): Promise<void> {
  const { device } = player;
  await device.signInAs(player.person);
  for (let tries = 1; ; tries += 1) {
    await openUntil(player, '/', ownSkills);
    try {
      await device.readyForOffline();
      return;
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
      player.trace.note(player.name, 'the worker is not installed yet, opened again');
    }
  }
}

/** Does one thing. With `killAfterMs` the browser is killed meanwhile, and opened again on what its disk kept. */
export async function performAction(player: Player, act: Action, killAfterMs: number | null): Promise<void> {
  const { device, trace, name } = player;
  trace.note(name, act.name);
  if (killAfterMs === null) {
    await act.run(player);
    trace.note(name, `${act.name}: safe`);
    return;
  }
  let isKilled = false;
  const kill = async () => {
    await wait(killAfterMs);
    isKilled = true;
    trace.note(name, 'SIGKILL');
    await device.kill();
  };
  const doing = act.run(player).then(
    () => trace.note(name, `${act.name}: safe`),
    (error: unknown) => {
      // Of a browser that is gone nothing else can be expected.
      if (!isKilled) throw error;
    },
  );
  await Promise.all([doing, kill()]);
  await device.relaunch();
  await openOwnProfile(player);
  trace.note(name, 'opened again');
}

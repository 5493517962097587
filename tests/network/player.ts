import { expect, type Locator, type Page } from '@playwright/test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Device } from '../e2e/support/device.ts';
import type { Person } from '../e2e/support/people.ts';
import type { Prng } from '../sync/simulation/prng.ts';
import type { Ledger } from './ledger.ts';
import type { Trace } from './trace.ts';

/** Another person's profile, for saving, connecting and accepting. */
export interface Stranger {
  person: Person;
  profileId: string;
  address: string;
}

/** A member at one browser. Two browsers of one member change different fields. */
export interface Player {
  /** Name of the device, e.g. phone. */
  name: string;
  device: Device;
  person: Person;
  profileId: string;
  ledger: Ledger;
  prng: Prng;
  trace: Trace;
  conversation: string;
  /** The other member of the conversation. */
  friend: Person;
  /** Messages that this device sends repeatedly, and no other device does. */
  phrases: readonly string[];
  /** The field of the shared credit that this browser edits. */
  ownField: 'Role' | 'Director';
  toSave: readonly Stranger[];
  toConnect: Stranger[];
  toAccept: Stranger[];
  /** Counter for unique names. */
  count: number;
}

export interface Action {
  name: string;
  run(player: Player): Promise<void>;
}

const MAX_TRIES = 12;

/** Opens a path, again after a failed load, until an element is visible. */
export async function openUntil(player: Player, address: string, seen: (page: Page) => Locator): Promise<void> {
  const { page } = player.device;
  for (let tries = 1; ; tries += 1) {
    try {
      // The browser may have cached a sign-in page under this URL; a reload bypasses the cache.
      await (tries > 1 && page.url().startsWith('http') ? page.reload() : page.goto(address));
      await seen(page).waitFor({ timeout: 12_000 });
      return;
    } catch (error) {
      if (page.isClosed() || tries === MAX_TRIES) throw error;
      player.trace.note(player.name, `${address} did not load, opened again`);
    }
  }
}

const ownProfile = (page: Page) => page.getByRole('button', { name: 'Edit Profile' });

/** The skills card appears after the first pull, which faults can delay. */
const ownSkills = (page: Page) => page.getByRole('button', { name: /^(Add to Skills|Add a skill)/ }).first();

/** Opens the own profile, which renders from the device on any network. */
export async function openOwnProfile({ device }: Player): Promise<void> {
  await device.open('/');
  await expect(ownProfile(device.page)).toBeVisible();
}

/** Opens the app for the first time, until it works offline. */
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

/** Performs an action. With `killAfterMs` the browser is killed during it and reopened on its profile. */
export async function performAction(player: Player, act: Action, killAfterMs: number | null): Promise<void> {
  const { device, trace, name } = player;
  trace.note(name, act.name);
  if (killAfterMs === null) {
    await act.run(player);
    trace.note(name, `${act.name}: stored`);
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
    () => trace.note(name, `${act.name}: stored`),
    (error: unknown) => {
      // Errors after the kill are expected.
      if (!isKilled) throw error;
    },
  );
  await Promise.all([doing, kill()]);
  await device.relaunch();
  await openOwnProfile(player);
  trace.note(name, 'opened again');
}

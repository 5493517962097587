import { expect, test, vi } from 'vitest';
import type { DraftForm } from '#shared/forms/use-draft-form.ts';
import { toPickedTake, type PickedFile } from '#shared/picked-files/picked-files.ts';
import { useKeepFiles } from '#shared/picked-files/use-keep-files.ts';

/** The hooks of one component, in their order: effects run after each rendering if their values have changed. */
const hooks = vi.hoisted(() => {
  let slots: { ref?: { current: unknown }; deps?: readonly unknown[] }[] = [];
  let at = 0;
  let effects: (() => void)[] = [];
  const next = () => (slots[at++] ??= {});
  return {
    mount: () => {
      slots = [];
    },
    render: (component: () => void) => {
      at = 0;
      effects = [];
      component();
      for (const run of effects) run();
    },
    useRef: (start: unknown) => (next().ref ??= { current: start }),
    useEffectEvent: (work: unknown) => work,
    useEffect: (work: () => void, deps: readonly unknown[]) => {
      const slot = next();
      if (slot.deps?.every((dep, n) => Object.is(dep, deps[n]))) return;
      slot.deps = deps;
      effects.push(work);
    },
  };
});
vi.mock('react', async (load) => ({ ...(await load<object>()), ...hooks }));

const take = toPickedTake({ id: 'A', name: 'Take 1', bytes: 4, range: null }, 'key');

/** Opens a sheet with files, shows others in it one after the other, and returns what the draft was given. */
function keep(...lists: readonly PickedFile[][]): unknown[] {
  const written: unknown[] = [];
  let pending: unknown;
  const form = {
    attach: (content: { files: unknown }) => {
      pending = content.files;
    },
    flush: () => {
      if (pending !== undefined) written.push(pending);
      pending = undefined;
    },
    forget: () => {
      written.push('no draft');
      pending = undefined;
    },
  } as unknown as DraftForm;
  hooks.mount();
  for (const files of lists)
    hooks.render(() => useKeepFiles(form, { files, dropReplaced: () => undefined }, files.length > 0));
  return written;
}

test('a draft forgets the only take once it is no longer chosen', () => {
  expect(keep([], [take], [])).toEqual([['take:A'], 'no draft']);
  // The sheet of another day, which begins with it.
  expect(keep([take], [])).toEqual([['take:A'], 'no draft']);
});

test('a sheet that never had a file writes no draft', () => {
  expect(keep([], [])).toEqual([]);
});

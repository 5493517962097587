import { createElement, useSyncExternalStore, type ComponentType } from 'react';
import { createSlot } from './slot.ts';

const dialog = createSlot<ComponentType | null>(null);

/** Called by the module that asks, when the first page that needs it brings it along: nothing of it is in the first load. */
export function showQuestionsBy(Questions: ComponentType): void {
  dialog.set(Questions);
}

/** Where questions are drawn. Mount once. */
export function QuestionHost() {
  const Questions = useSyncExternalStore(dialog.subscribe, dialog.get);
  return Questions && createElement(Questions);
}

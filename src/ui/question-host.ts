import { createElement, useSyncExternalStore, type ComponentType } from 'react';
import { createSlot } from './slot.ts';

const dialog = createSlot<ComponentType | null>(null);

/**
 * Registers the question dialog. `confirm.tsx` calls it when it is loaded, so that the dialog is not in the first
 * bundle.
 */
export function showQuestionsBy(Questions: ComponentType): void {
  dialog.set(Questions);
}

/** Renders the question dialog. Mount it once. */
export function QuestionHost() {
  const Questions = useSyncExternalStore(dialog.subscribe, dialog.get);
  return Questions && createElement(Questions);
}

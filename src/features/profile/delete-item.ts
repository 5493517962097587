import { Trash2 } from 'lucide-react';
import type { Section } from '#contract/section.ts';
import type { Item } from '#db/views.ts';
import { undoAction } from '#shared/undo-action.ts';
import type { Engine } from '#sync/engine.ts';
import { findNextRow } from '#ui/pass-focus.ts';
import { toast } from '#ui/Toast.tsx';

/** Deletes a row of a section and offers Undo in a toast. */
export async function deleteItem(engine: Engine, section: Section, item: Item): Promise<void> {
  const passFocus = findNextRow();
  const { op } = await engine.remove(section.key, item.id);
  passFocus();
  toast({
    // Feedback can be a page long, so the toast names the section instead.
    text: `${section.writtenBy ? section.title : section.card(item.body).title} deleted`,
    icon: Trash2,
    action: undoAction(engine, op, Trash2),
  });
}

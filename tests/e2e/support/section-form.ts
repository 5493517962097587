import type { Locator } from '@playwright/test';
import type { AnyRow, Section } from '#contract/section.ts';
import { getLayout } from '#lib/section-layout.ts';

/** Fills the open form of a section or media kind with a row, using the definition of each field. */
export async function fillSection(form: Locator, section: Pick<Section, 'fields'>, row: AnyRow): Promise<void> {
  for (const part of getLayout(section)) {
    if (part.kind === 'pair') {
      await form.getByLabel(`${part.label} month`).selectOption(String(row[part.month]));
      await form.getByLabel(`${part.label} year`).selectOption(String(row[part.year]));
      continue;
    }
    const field = section.fields[part.key]!;
    const value = row[part.key];
    switch (field.kind) {
      case 'choice': {
        const label = field.options.find((option) => option.value === value)?.label ?? '';
        await form.getByText(label, { exact: true }).click();
        break;
      }
      case 'flag':
        await form.getByRole('switch', { name: field.label }).setChecked(value === true);
        break;
      case 'ids': {
        const list = form.getByRole('group', { name: new RegExp(`^${field.label} `) });
        await list.locator('input[type="checkbox"]').first().waitFor({ state: 'attached' });
        const wanted = new Set(value as string[]);
        const names = await list
          .locator('input:checked')
          .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('name')));
        const boxOf = (id: string) => list.locator(`input[name="${id}"]`);
        for (const name of names) if (name !== null && !wanted.has(name)) await boxOf(name).uncheck({ force: true });
        for (const id of wanted) await boxOf(id).check({ force: true });
        break;
      }
      case 'lookup':
        // Selecting waits until the options have loaded.
        await form.locator(`[name="${part.key}"]`).selectOption(String(value));
        break;
      case 'yearMonth': {
        const [year = '', month = ''] = String(value).split('-');
        await form.locator(`[name="${part.key}_month"]`).selectOption(String(Number(month)));
        await form.locator(`[name="${part.key}_year"]`).selectOption(year);
        break;
      }
      case 'date':
      case 'text':
      case 'link':
      case 'number':
      case 'month':
      case 'year':
        await form.locator(`[name="${part.key}"]`).fill(value == null ? '' : String(value as string | number));
    }
  }
}

/** Changes one field of the example row: appends II to a text, adds 1 to a number, or toggles a flag. */
export function buildChangedRow(section: Section): AnyRow {
  const { example } = section;
  for (const [key, field] of Object.entries(section.fields)) {
    const value = example[key];
    if (field.kind === 'text' && field.format === undefined) return { [key]: `${String(value)} II` };
    if (field.kind === 'number') return { [key]: String(Number(value) + 1) };
    if (field.kind === 'flag') return { [key]: value !== true };
    if (field.kind === 'ids') return { [key]: [...(value as string[]), '3'] };
    if (field.kind === 'link') return { [key]: 'https://example.org/changed' };
  }
  throw new Error(`${section.key} has no field to change`);
}

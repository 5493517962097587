import { toErrorMap, rowSchema } from '#contract/schema.ts';
import { getFormTitles, type AnyRow, type Section } from '#contract/section.ts';
import type { Item } from '#db/views.ts';
import { getLayout } from '#lib/section-layout.ts';
import type { Actions } from '#sync/actions.ts';
import { FormSheet, type Checked } from '#shared/forms/FormSheet.tsx';
import { toRow, toFormValues, type FormValues } from '#shared/forms/form-values.ts';
import { FormField } from '#shared/forms/FormField.tsx';
import { getRefusedErrors, saveEdits, type Edits } from '#shared/forms/save-edits.ts';
import { getVisibilityText } from './visibility-text.ts';

interface SectionFormProps {
  section: Section;
  /** Title of the section's card. */
  title: string;
  profileId: string;
  /** The row to edit; undefined to add a new one. */
  item?: Item | undefined;
  onClose: () => void;
}

const Note = ({ text }: { text: string | null }) => text && <p className="text-sm text-muted">{text}</p>;

const getCurrentYear = () => new Date().getFullYear();

/** The form of any section, generated from its definition. A row that the server refused opens with its errors. */
export function SectionForm({ section, title, profileId, item, onClose }: SectionFormProps) {
  const isSingle = section.cardinality !== 'many';
  const layout = getLayout(section);
  // It may appear from another device while its form holds what was typed: the draft keeps its name.
  const isOnly = isSingle || section.maxItems === 1;
  const itemKey = item && `${section.key}:${item.id}`;

  const check = (values: FormValues): Checked => {
    const checked = rowSchema(section, getCurrentYear).safeParse(toRow(section, values));
    return checked.success ? { row: checked.data } : { errors: toErrorMap(checked.error.issues) };
  };
  const save = async (actions: Actions, row: AnyRow, edits: Edits) => {
    if (!item && !isSingle) await actions.create(section.key, profileId, row);
    else await saveEdits(actions, { type: section.key, id: item?.id ?? profileId, item }, edits);
  };
  const titles = getFormTitles(section);
  const heading = isSingle ? title : item ? titles.edit : titles.add;
  return (
    <FormSheet
      title={heading}
      draftKey={itemKey === undefined || isOnly ? `${section.key}:new:${profileId}` : itemKey}
      formerDraftKey={isOnly ? itemKey : undefined}
      stored={{ ...section.set?.valuesOf([]), ...item?.body }}
      toValues={(row) => toFormValues(section, row)}
      toRow={(values) => toRow(section, values)}
      refused={getRefusedErrors(item)}
      check={check}
      save={save}
      onClose={onClose}
    >
      {({ values, errors, change }) => (
        <>
          {layout.map((part) => (
            <FormField
              key={part.kind === 'pair' ? part.month : part.key}
              fields={section.fields}
              part={part}
              values={values}
              errors={errors}
              onChange={change}
            />
          ))}
          <Note text={getVisibilityText(section, toRow(section, values))} />
          <Note
            text={item && section.maxItems === 1 ? 'To remove everything, choose Delete in the card’s menu.' : null}
          />
        </>
      )}
    </FormSheet>
  );
}

import type { Fields } from '#contract/section.ts';
import { FormField } from '#shared/forms/FormField.tsx';
import type { FormValues } from '#shared/forms/form-values.ts';
import { placedFields } from './media-form.ts';

interface MediaFieldsProps {
  fields: Fields;
  values: FormValues;
  errors: Record<string, string>;
  onChange: (changed: FormValues) => void;
}

/** The fields of a media kind in their order; short ones are side by side if there is room. */
export function MediaFields({ fields, values, errors, onChange }: MediaFieldsProps) {
  return (
    <div className="grid grid-cols-1 gap-x-3 gap-y-4 min-[22.5rem]:grid-cols-2">
      {placedFields({ fields }).map(({ key, isWide }) => (
        <div key={key} className={isWide ? 'min-w-0 min-[22.5rem]:col-span-2' : 'min-w-0'}>
          <FormField
            fields={fields}
            part={{ kind: 'field', key }}
            values={values}
            errors={errors}
            onChange={onChange}
          />
        </div>
      ))}
    </div>
  );
}

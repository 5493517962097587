import { useRef } from 'react';
import { CASTING_LIMITS } from '#contract/records/casting.ts';
import type { RoleView } from '#db/casting-role.ts';
import { type CastingItem, getRoleTitle } from '#db/casting.ts';
import { count } from '#lib/text.ts';
import { useDraftForm } from '#shared/forms/use-draft-form.ts';
import { FormSummary, TextArea } from '#ui/Field.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';
import { ANSWER_WORDS } from './answer-words.ts';
import { getPerformer } from './performer.ts';
import { PersonChoice } from './PersonChoice.tsx';

interface CastSheetProps {
  view: RoleView;
  /** Those who still wait for an answer. */
  candidates: readonly CastingItem<'request'>[];
  onClose: () => void;
}

/** Says that a role is cast: those who got it and everybody who still waits are answered at once. */
export function CastSheet({ view: { role, project }, candidates, onClose }: CastSheetProps) {
  const body = useRef<HTMLDivElement>(null);
  const { name } = role.body;
  const start = { chosen: '', cast_text: ANSWER_WORDS.cast(name), text: ANSWER_WORDS.no_thank_you(name) };
  const form = useDraftForm({ key: `cast:${role.id}`, start, body });
  if (form.kept === undefined) return null;
  const { values } = form;
  const chosen = candidates.filter(({ serverId }) => (values.chosen ?? '').split(',').includes(serverId ?? '-'));
  const others = candidates.length - chosen.length;

  const toggle = (id: string, isOn: boolean) => {
    const ids = chosen.map(({ serverId }) => serverId).filter((each) => each !== id);
    form.change({ chosen: (isOn ? [...ids, id] : ids).join(',') });
  };
  const handleCast = async () => {
    const fields = {
      request_ids: chosen.map(({ serverId }) => serverId),
      cast_text: values.cast_text?.trim() ?? '',
      text: values.text?.trim() ?? '',
    };
    const title = getRoleTitle(role.body, project.body);
    if (
      await form.submit(
        async (actions) => void (await actions.act({ type: 'role', id: role.id, act: 'cast', fields, title })),
      )
    ) {
      toast({ text: `${name} is cast` });
      onClose();
    }
  };
  const text = (field: 'cast_text' | 'text', label: string) => (
    <TextArea
      label={label}
      name={field}
      value={values[field] ?? ''}
      limit={CASTING_LIMITS.answerText}
      onChange={(typed) => form.change({ [field]: typed })}
    />
  );
  return (
    <Sheet
      title={`${name} is cast`}
      dirty={form.isChanged}
      onClose={onClose}
      onSubmit={() => void handleCast()}
      foot={
        <FormFoot onDiscard={() => void form.discard('Discard what you typed?').then((isSure) => isSure && onClose())}>
          {candidates.length === 0 ? 'Role is cast' : `Answer ${count(candidates.length, 'person', 'people')}`}
        </FormFoot>
      }
    >
      <div ref={body} className="space-y-4">
        <FormSummary text={form.summary} />
        {candidates.length > 0 && (
          <fieldset>
            <legend className="mb-1.5 text-sm font-semibold">
              Who plays {name} <span className="font-normal text-muted">optional</span>
            </legend>
            <ul>
              {candidates.map((item) => {
                const performer = getPerformer(item);
                return (
                  <PersonChoice
                    key={item.key}
                    name={performer.name}
                    photo={performer.profile_photo}
                    isChosen={chosen.includes(item)}
                    onChange={(isOn) => toggle(item.serverId ?? '', isOn)}
                  />
                );
              })}
            </ul>
          </fieldset>
        )}
        {chosen.length > 0 && text('cast_text', `To ${chosen.map((item) => getPerformer(item).name).join(' and ')}`)}
        {others > 0 && text('text', `Everybody who still waits gets this (${others})`)}
        <p className="text-sm text-muted">
          People who declined get no message. After this, nobody else can be asked for this role.
        </p>
      </div>
    </Sheet>
  );
}

import { Archive } from 'lucide-react';
import { useRef, type RefObject } from 'react';
import { getNotices } from '#contract/casting/terms.ts';
import { askBody, CASTING_LIMITS } from '#contract/records/casting.ts';
import { getPack } from '#contract/rules/index.ts';
import { toErrorMap } from '#contract/schema.ts';
import { readRole, type RoleView } from '#db/casting-role.ts';
import type { PerformerCard } from '#db/casting.ts';
import { toLocalInput, zoneHint } from '#lib/deadline.ts';
import { count } from '#lib/text.ts';
import { CastingPageFrame } from '#shared/casting/CastingPageFrame.tsx';
import { shootText } from '#shared/casting/role-text.ts';
import { useDraftForm, type DraftForm } from '#shared/forms/use-draft-form.ts';
import { PdfField } from '#shared/picked-files/PdfField.tsx';
import type { PickedFile } from '#shared/picked-files/picked-files.ts';
import { useDraftFiles } from '#shared/picked-files/use-draft-files.ts';
import { type PdfRules, usePdfs } from '#shared/picked-files/use-pdfs.ts';
import { useUploadLimits } from '#shared/queries/use-upload-limits.ts';
import { Button } from '#ui/Button.tsx';
import { ChoiceChips } from '#ui/ChoiceChips.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { FormSummary, TextArea, TextField } from '#ui/Field.tsx';
import { Link, useNavigate, useParams, useSearchParams } from '#ui/router.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import { toast } from '#ui/Toast.tsx';
import { useNow } from '#ui/use-now.ts';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import {
  check,
  getAskKey,
  getShootErrors,
  getStart,
  getWaiverKey,
  heightOptions,
  readDeadline,
  readPerformers,
  type Round,
  shotOptions,
  toFields,
} from './ask-values.ts';
import { getPerformersProblem, isSamePerson, wasAsked } from './performer.ts';
import { Performers, PickSheet } from './Performers.tsx';
import { CallbackPerformers } from './request/CallbackPerformers.tsx';
import { findCalledBack } from './request/callbacks.ts';
import { RuleChecks } from './RuleChecks.tsx';
import { getSearchPath } from './search-path.ts';

/** Asks performers to tape for a role. */
export function AskPage() {
  const { id = '' } = useParams();
  const [params] = useSearchParams();
  const round = params.get('round') === 'callback' ? 'callback' : 'first';
  return (
    <CastingPageFrame
      title={round === 'callback' ? 'Ask for a callback' : 'Ask to tape'}
      query={(db) => readRole(db, id)}
      deps={[id]}
      signInText="Requests belong to an account."
      noun="role"
    >
      {(view) =>
        view.role.body.status === 'open' && view.project.body.status === 'open' ? (
          <AskForm key={round} view={view} round={round} />
        ) : (
          <ErrorPage
            icon={Archive}
            title="Nobody can be asked"
            text="This role is closed or cast. Open it again first."
          />
        )
      }
    </CastingPageFrame>
  );
}

function AskForm({ view, round }: { view: RoleView; round: Round }) {
  const now = useNow();
  const body = useRef<HTMLDivElement>(null);
  const start = getStart(getPack(view.project.body.rule_pack), view.project.body.time_zone, now);
  const form = useDraftForm({ key: getAskKey(view.role.id, round), start, body });
  const files = useDraftFiles(form.kept, true);
  const maxBytes = useUploadLimits()?.document;
  if (files === undefined || maxBytes === undefined) return null;
  return <LoadedForm view={view} round={round} form={form} body={body} files={files} maxBytes={maxBytes} now={now} />;
}

const SIDES: PdfRules = {
  maxFiles: CASTING_LIMITS.sidesFiles,
  maxPages: CASTING_LIMITS.sidesPages,
  nameLength: CASTING_LIMITS.sidesName,
};

interface LoadedFormProps {
  view: RoleView;
  round: Round;
  form: DraftForm;
  body: RefObject<HTMLDivElement | null>;
  /** The PDFs in the draft. */
  files: readonly PickedFile[];
  maxBytes: number;
  now: number;
}

function LoadedForm({ view, round, form, body, files, maxBytes, now }: LoadedFormProps) {
  const { role, project, requests, colleagueIds } = view;
  const navigate = useNavigate();
  const picking = useSheetParam('to');
  const pack = getPack(project.body.rule_pack);
  const zone = project.body.time_zone;
  const sides = usePdfs({ form, rules: SIDES, start: files, maxBytes });
  const { values, errors } = form;
  const performers = readPerformers(values).filter(
    ({ profile_id: id }) => round === 'first' || findCalledBack(requests, id) !== undefined,
  );
  const notices = getNotices(role.body);
  const findings = check(values, { pack, project: project.body, notices, sides: sides.counted, round, now });
  const deadline = readDeadline(values, zone);
  const projectShoot = shootText(project.body);
  const whyNot = (card: PerformerCard) => {
    if (wasAsked(requests, round, card)) return 'Asked already';
    if (card.user_id !== undefined && colleagueIds.has(card.user_id)) return 'Colleague in this project';
    const isThere = performers.some((other) => other.profile_id !== card.profile_id && isSamePerson(other, card));
    return isThere ? 'Chosen with another profile' : undefined;
  };

  const choose = (next: readonly PerformerCard[]) => form.change({ to: JSON.stringify(next) });
  const field = (name: string) => ({
    name,
    value: values[name] ?? '',
    error: errors[name],
    onChange: (value: string) => form.change({ [name]: value }),
  });
  const handleSend = async () => {
    const fields = { ...toFields(values, zone, findings.waivers), sides: sides.toSend() };
    const checked = askBody.safeParse({ ...fields, round, role_id: role.id, profile_id: '1' });
    const found = checked.success ? {} : toErrorMap(checked.error.issues);
    const { deadline_at: due, ...rest } = found;
    const shoot = getShootErrors(values);
    const noneOrTwice = getPerformersProblem(requests, round, performers);
    const all: Record<string, string[]> = {
      ...rest,
      ...shoot,
      ...(noneOrTwice !== undefined && { to: [noneOrTwice] }),
      ...(sides.problem !== null && { sides: [sides.problem] }),
      ...((due || (deadline !== null && deadline <= now)) && { deadline: ['Choose a day and time that is to come'] }),
      ...Object.fromEntries(findings.unwaived.map(({ rule, text }) => [getWaiverKey(rule), [text]])),
    };
    if (!checked.success || Object.keys(all).length > 0) return form.showErrors(all, ['to', 'sides']);
    const uploads = checked.data.sides.map(({ upload_id }) => upload_id);
    const { role_id: _role, profile_id: _profile, ...terms } = checked.data;
    const sent = performers.map((card) => ({
      ...terms,
      ...(round === 'callback' && { previous_id: findCalledBack(requests, card.profile_id)?.serverId ?? null }),
      profile_id: card.profile_id,
      performer_name: card.name,
      card,
    }));
    if (await form.submit(async (actions) => void (await actions.createAll('request', role.id, sent, uploads)))) {
      toast({ text: `${count(sent.length, 'request')} on the way` });
      navigate(`/casting/roles/${role.id}`, { replace: true });
    }
  };
  return (
    <>
      <form
        className="mx-auto max-w-[1168px] px-3 pt-1 pb-6 md:px-6 md:pt-6"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void handleSend();
        }}
      >
        <div className="px-1 pb-3">
          <p className="text-sm break-words text-muted">
            <Link to={`/casting/roles/${role.id}`} className="link">
              {role.body.name}, {project.body.title}
            </Link>
          </p>
          <h1 className="text-2xl font-bold max-md:sr-only">
            {round === 'callback' ? 'Ask for a callback' : 'Ask performers to tape'}
          </h1>
        </div>
        <div ref={body} className="grid grid-cols-1 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_424px] lg:gap-6">
          <section className="notice min-w-0 space-y-4 p-4 md:p-5">
            <FormSummary text={form.summary} />
            {form.isRestored && (
              <p className="text-sm text-muted" role="status">
                Picked up where you left off
              </p>
            )}
            {round === 'callback' ? (
              <CallbackPerformers requests={requests} chosen={performers} error={errors.to} onChange={choose} />
            ) : (
              <Performers chosen={performers} error={errors.to} onChange={choose} onPick={() => picking.open()} />
            )}
            <TextField
              {...field('deadline')}
              label="Due"
              kind="datetime-local"
              min={toLocalInput(now, zone)}
              hint={zoneHint(deadline, zone, now)}
            />
            <TextArea
              {...field('sides_text')}
              label="Sides"
              optional
              rows={6}
              limit={CASTING_LIMITS.sidesText}
              placeholder="The pages to read"
            />
            <PdfField
              pdfs={sides}
              name="sides"
              label="Sides as PDF"
              addText="Add sides as PDF"
              tooManyText={`${count(SIDES.maxFiles, 'PDF')} are the most for one request.`}
              error={errors.sides === undefined ? undefined : (sides.problem ?? undefined)}
              onNote={form.showError}
            />
            <TextArea
              {...field('instructions')}
              label="What to send"
              optional
              rows={3}
              limit={CASTING_LIMITS.instructions}
              placeholder="Scene 14, plain wall, landscape"
            />
            <div className="grid grid-cols-1 gap-4 min-[22.5rem]:grid-cols-2">
              <TextField {...field('takes')} label="Takes, at most" kind="number" step={1} />
              <TextField {...field('max_minutes')} label="Minutes, at most" kind="number" step={1} />
            </div>
            <ChoiceChips {...field('shot')} label="Shot" options={shotOptions} />
            <div className="grid grid-cols-1 gap-x-4 min-[22.5rem]:grid-cols-2">
              <Toggle
                label="A slate"
                checked={values.slate !== ''}
                onChange={(on) => form.change({ slate: on ? 'true' : '' })}
              />
              <Toggle
                label="A full-length shot"
                checked={values.full_length !== ''}
                onChange={(on) => form.change({ full_length: on ? 'true' : '' })}
              />
              <Toggle
                label="Lines known by heart"
                checked={values.memorize !== ''}
                onChange={(on) => form.change({ memorize: on ? 'true' : '' })}
              />
            </div>
            <div className="grid grid-cols-1 gap-4 min-[22.5rem]:grid-cols-2">
              <ChoiceChips {...field('max_height')} label="Picture" options={heightOptions} />
              <TextField {...field('naming')} label="File name" optional placeholder="Role_Name_Take" />
            </div>
            <div className="grid grid-cols-1 gap-4 min-[22.5rem]:grid-cols-2">
              <TextField
                {...field('shoot_from')}
                label="Shoots from"
                kind="date"
                optional
                hint={projectShoot === '' ? undefined : `If not ${projectShoot}`}
              />
              <TextField {...field('shoot_to')} label="Shoots until" kind="date" optional />
            </div>
            <TextField
              {...field('live_option')}
              label="Instead of a tape"
              optional
              placeholder="Live on Thursday, 3 to 5 pm"
              hint="If performers may audition live or in person"
            />
          </section>
          <div className="grid min-w-0 grid-cols-1 gap-3">
            <RuleChecks
              pack={pack}
              findings={findings}
              values={values}
              errors={errors}
              timeZone={zone}
              now={now}
              onChange={form.change}
            />
            <div className="flex gap-2">
              <Button look="line" onClick={() => navigate(`/casting/roles/${role.id}`)}>
                Keep as draft
              </Button>
              <Button type="submit" className="grow">
                {performers.length === 0 ? 'Send' : `Send to ${count(performers.length, 'performer')}`}
              </Button>
            </div>
          </div>
        </div>
      </form>
      {/* Outside of the form: Enter in its field must not send the request. */}
      {picking.isOpen && (
        <PickSheet
          chosen={performers}
          whyNot={whyNot}
          searchPath={getSearchPath(role.body)}
          onChange={choose}
          onClose={picking.close}
        />
      )}
    </>
  );
}

import { CONSENT_CALLS } from '#contract/consent-calls.ts';
import { guardianBody, type Account, type Guardian } from '#contract/records/consent.ts';
import { call } from '#net/client.ts';
import { Button } from '#ui/Button.tsx';
import { TextField } from '#ui/Field.tsx';
import { toast } from '#ui/Toast.tsx';
import { useAccountForm } from './use-account-form.ts';
import { useFreshUser } from './use-fresh-user.ts';
import { ResourceState } from './ResourceState.tsx';
import { useServerResource } from './use-server-resource.ts';

const STATE_TEXT: Record<Guardian['state'], string> = {
  asked: 'We’ve written to them. Until they agree, only you see your profile. You can build it meanwhile.',
  agreed: 'They have agreed. Others can see your profile.',
  declined: 'They have not agreed, so only you see your profile. Talk with them, or ask another parent or guardian.',
  withdrawn: 'They no longer agree, so only you see your profile. Everything in it is still there.',
};

/** Says what the guardian of a person under 18 has answered, and asks one. */
export function GuardianForm() {
  const { resource, setData } = useServerResource<Account>(CONSENT_CALLS.account, {
    missingMessage: 'This is not available here.',
  });
  if (resource.status !== 'loaded') {
    return <ResourceState resource={resource} loadingLabel="Loading your guardian" height="h-24" />;
  }
  const { guardian } = resource.data;
  return (
    <>
      {guardian && <p className="text-sm font-semibold break-words">{guardian.email}</p>}
      <p className="text-sm text-muted">
        {guardian
          ? STATE_TEXT[guardian.state]
          : 'You are under 18. Others see your profile once a parent or guardian has agreed.'}
      </p>
      {guardian?.state !== 'agreed' && (
        <AskForm hasAsked={guardian !== null} onAsked={(asked) => setData({ ...resource.data, guardian: asked })} />
      )}
    </>
  );
}

function AskForm({ hasAsked, onAsked }: { hasAsked: boolean; onAsked: (guardian: Guardian) => void }) {
  const refresh = useFreshUser();
  const form = useAccountForm({
    initial: { email: '' },
    check: (values) => guardianBody.safeParse(values),
    send: async (body) => {
      const answer = await call<{ message: string; data: Guardian }>(CONSENT_CALLS.nameGuardian, { body });
      if (!answer.ok) return answer;
      toast({ text: answer.data.message });
      onAsked(answer.data.data);
      await refresh();
      return answer;
    },
    doing: 'Asking them',
  });
  return (
    <form
      className="mt-2 max-w-sm space-y-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <TextField
        label={hasAsked ? 'Ask again, or somebody else' : 'E-mail of a parent or guardian'}
        kind="email"
        {...form.field('email')}
      />
      {form.summary && <p className="text-sm font-medium text-needs">{form.summary}</p>}
      <Button type="submit" look="tonal" aria-disabled={form.isBusy}>
        {form.isBusy ? 'Asking…' : 'Ask them'}
      </Button>
    </form>
  );
}

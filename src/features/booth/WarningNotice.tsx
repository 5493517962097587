import { TriangleAlert } from 'lucide-react';
import { count } from '#lib/text.ts';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';

/** silent: the microphone hears nothing. room: there is little space left. */
export type Warning = 'silent' | 'room';

interface WarningNoticeProps {
  warning: Warning;
  freeMinutes: number | null;
  onIgnore: () => void;
  onSettings: () => void;
  onClose: () => void;
}

/** Asks before a take that would be worth nothing, or end soon. */
export function WarningNotice({ warning, freeMinutes, onIgnore, onSettings, onClose }: WarningNoticeProps) {
  const isSilent = warning === 'silent';
  return (
    <section
      role="alert"
      data-theme="blackout"
      className="mx-auto mb-3 w-[min(24rem,calc(100%-2rem))] space-y-3 rounded-box bg-base-100 p-5 text-base-content"
    >
      <h2 className="flex items-center gap-2 text-lg font-bold">
        <TriangleAlert className="ic" aria-hidden />
        {isSilent ? 'We can’t hear you' : `Room for ${count(freeMinutes ?? 0, 'minute')}`}
      </h2>
      <p className="text-muted">
        {isSilent
          ? 'The microphone hears nothing. Say a few words, or choose another microphone.'
          : `This ${deviceWord()} is almost full. A take that fills it ends there and is kept.`}
      </p>
      <div className="flex flex-wrap gap-2 *:flex-1">
        {isSilent ? (
          <Button look="tonal" onClick={onSettings}>
            Choose a microphone
          </Button>
        ) : (
          <ButtonLink look="tonal" to="/booth/takes">
            Delete takes
          </ButtonLink>
        )}
        <Button look="line" onClick={onIgnore}>
          Record anyway
        </Button>
        <Button look="line" onClick={onClose}>
          Not now
        </Button>
      </div>
    </section>
  );
}

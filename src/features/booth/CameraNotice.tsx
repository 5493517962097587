import { RotateCcw, VideoOff } from 'lucide-react';
import { Button, ButtonLink } from '#ui/Button.tsx';
import type { CameraProblem } from './camera.ts';
import { PROBLEM_TEXTS } from './words.ts';

/** Why there is no picture, with ways out. */
export function CameraNotice({ problem, onRetry }: { problem: CameraProblem; onRetry: () => void }) {
  const { title, text } = PROBLEM_TEXTS[problem];
  return (
    <section
      role="alert"
      data-theme="blackout"
      className="m-auto max-w-sm space-y-3 rounded-box bg-base-100 p-6 text-center text-base-content"
    >
      <VideoOff className="mx-auto size-8" strokeWidth={1.75} aria-hidden />
      <h2 className="text-xl font-bold">{title}</h2>
      <p className="text-muted">{text}</p>
      {problem !== 'unsupported' && (
        <Button icon={RotateCcw} className="w-full" onClick={onRetry}>
          Try again
        </Button>
      )}
      <ButtonLink look="line" to="/media?add=videos" className="w-full">
        Pick a video instead
      </ButtonLink>
    </section>
  );
}

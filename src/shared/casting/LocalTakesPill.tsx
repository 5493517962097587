import { Smartphone, Video } from 'lucide-react';
import type { LocalTakes } from '#db/takes.ts';
import { count } from '#lib/text.ts';
import { deviceWord } from '#ui/device.ts';

/** That takes were recorded for an audition on this device, and are not sent yet: between confirmed and sent. */
export function LocalTakesPill({ takes: { count: n, isRecording } }: { takes: LocalTakes }) {
  const Icon = isRecording ? Video : Smartphone;
  return (
    <span className="state state-phone">
      <Icon className="ic" aria-hidden />
      <span>
        {isRecording ? 'Recording' : count(n, 'take')} on this {deviceWord()}
      </span>
    </span>
  );
}

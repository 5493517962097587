import { useState } from 'react';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { TextArea } from '#ui/Field.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import type { Cue } from './cue.ts';
import { CueField } from './CueField.tsx';
import { type BoothSettings, SCRIPT_MAX } from './settings.ts';

interface ScriptSheetProps {
  settings: BoothSettings;
  cue: Cue | null;
  /** The audition that takes are recorded for; null for the booth alone. */
  auditionId: string | null;
  stream: MediaStream | null;
  onChange: (change: Partial<BoothSettings>) => void;
  onClose: () => void;
}

/** The text of the prompter and how it is set, and the other person's lines. Saved while it is being typed. */
export function ScriptSheet({ settings, cue, auditionId, stream, onChange, onClose }: ScriptSheetProps) {
  const [script, setScript] = useState(settings.script);
  return (
    <Sheet
      title="Prompter"
      onClose={onClose}
      foot={
        <Button className="flex-1" onClick={onClose}>
          Done
        </Button>
      }
    >
      <TextArea
        name="script"
        label="Your lines"
        optional
        rows={10}
        limit={SCRIPT_MAX}
        hint={`Type or paste them, one speech per line. They stay on this ${deviceWord()}.`}
        value={script}
        onChange={(text) => {
          setScript(text);
          onChange({ script: text });
        }}
      />
      <Toggle
        label="More space between letters and lines"
        checked={settings.isWide}
        onChange={(isWide) => onChange({ isWide })}
      />
      <Toggle
        label="Mirrored, for a prompter glass"
        checked={settings.isMirrored}
        onChange={(isMirrored) => onChange({ isMirrored })}
      />
      <CueField cue={cue} auditionId={auditionId} stream={stream} />
    </Sheet>
  );
}

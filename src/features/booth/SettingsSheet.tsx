import { useState } from 'react';
import { evictsAfterSevenDays } from '#lib/seven-day-eviction.ts';
import { Button } from '#ui/Button.tsx';
import { ChoiceChips } from '#ui/ChoiceChips.tsx';
import { isInstalledApp } from '#ui/device.ts';
import { Select, TextField } from '#ui/Field.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import type { Devices } from './camera.ts';
import { type BoothSettings, type Shot, SLATE_MAX, SHOTS } from './settings.ts';

const SHOT_NAMES: Record<Shot, string> = { close: 'Close-up', medium: 'Medium', full: 'Full length' };

interface SettingsSheetProps {
  settings: BoothSettings;
  devices: Devices;
  onChange: (change: Partial<BoothSettings>) => void;
  onClose: () => void;
}

const toOptions = (devices: readonly MediaDeviceInfo[], noun: string) =>
  devices.map(({ deviceId, label }, n) => ({ value: deviceId, label: label || `${noun} ${n + 1}` }));

/** Camera, microphone, framing guide, count-in and slate card. */
export function SettingsSheet({ settings, devices, onChange, onClose }: SettingsSheetProps) {
  const [slateText, setSlateText] = useState(settings.slateText);
  const { userAgent, maxTouchPoints } = navigator;
  const isCleared = evictsAfterSevenDays({ userAgent, maxTouchPoints, isInstalled: isInstalledApp() });
  return (
    <Sheet
      title="Booth settings"
      onClose={onClose}
      foot={
        <Button className="flex-1" onClick={onClose}>
          Done
        </Button>
      }
    >
      <Select
        name="camera"
        label="Camera"
        placeholder="The usual one"
        options={toOptions(devices.cameras, 'Camera')}
        value={settings.cameraId ?? ''}
        onChange={(cameraId) => onChange({ cameraId: cameraId || null })}
      />
      <Select
        name="microphone"
        label="Microphone"
        placeholder="The usual one"
        options={toOptions(devices.microphones, 'Microphone')}
        value={settings.microphoneId ?? ''}
        onChange={(microphoneId) => onChange({ microphoneId: microphoneId || null })}
      />
      <ChoiceChips
        label="Framing guide"
        name="shot"
        options={SHOTS.map((shot) => ({ value: shot, label: SHOT_NAMES[shot] }))}
        value={settings.shot}
        onChange={(value) => onChange({ shot: SHOTS.find((shot) => shot === value) ?? 'medium' })}
      />
      <Toggle
        label="Count in: 3, 2, 1"
        checked={settings.hasCountIn}
        onChange={(hasCountIn) => onChange({ hasCountIn })}
      />
      <Toggle label="Slate card" checked={settings.hasSlate} onChange={(hasSlate) => onChange({ hasSlate })} />
      {settings.hasSlate && (
        <TextField
          name="slate"
          label="On the slate card"
          optional
          placeholder="Project, part"
          value={slateText}
          onChange={(text) => {
            setSlateText(text.slice(0, SLATE_MAX));
            onChange({ slateText: text.slice(0, SLATE_MAX) });
          }}
        />
      )}
      {isCleared && (
        <p className="text-sm text-muted">
          Safari clears websites you haven’t opened for 7 days, with all takes. Install Callboard to keep them.
        </p>
      )}
    </Sheet>
  );
}

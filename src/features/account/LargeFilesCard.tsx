import { canTellMobileData, LARGE_FILE_BYTES } from '#lib/mobile-data.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Card } from '#ui/Card.tsx';
import { deviceWord } from '#ui/device.ts';
import { Toggle } from '#ui/Toggle.tsx';

/** Whether this device sends large files on Wi-Fi only. Kept on the device, since each has its own connection. */
export function LargeFilesCard() {
  const { db, engine } = useAccount();
  const setting = useQuery(async ({ meta }) => ({ isOn: (await meta.get('wifi-only')) !== undefined }), []);
  if (setting === undefined) return null;
  const device = deviceWord();
  const handleChange = async (isOn: boolean) => {
    await (isOn ? db.meta.put({ k: 'wifi-only' }) : db.meta.delete('wifi-only'));
    // What waited for Wi-Fi may go now.
    engine.wake('online');
  };
  return (
    <Card title="Large files">
      <Toggle
        label="Send large files only on Wi-Fi"
        checked={setting.isOn}
        disabled={!canTellMobileData() && !setting.isOn}
        onChange={(isOn) => void toastOnError(handleChange(isOn))}
      />
      <p className="text-sm text-muted">
        {canTellMobileData()
          ? `On mobile data, files over ${LARGE_FILE_BYTES / 1024 / 1024} MB wait on this ${device} until it is on Wi-Fi, or until you send them anyway. This is for this ${device} only.`
          : `This browser does not tell Callboard whether this ${device} is on Wi-Fi, so large files go over any connection.`}
      </p>
    </Card>
  );
}

import { Link2, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { MEDIA_KINDS } from '#contract/media-kinds.ts';
import { capitalized } from '#contract/text.ts';
import { mediaItems } from '#db/queries.ts';
import { fileSize } from '#lib/amounts.ts';
import { megabytes } from '#lib/file-types-text.ts';
import { shortName } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import { toErrorText } from '#shared/error-text.ts';
import { useDraft } from '#shared/forms/use-draft.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { type UploadLimits, useUploadLimits } from '#shared/queries/use-upload-limits.ts';
import { KIND_ICONS } from '#shared/kind-icons.ts';
import { FilePicker } from '#ui/FilePicker.tsx';
import { Button, IconButton } from '#ui/Button.tsx';
import { useBusyWhile } from '#ui/busy.ts';
import { Card } from '#ui/Card.tsx';
import { deviceWord } from '#ui/device.ts';
import { FormSummary, TextArea } from '#ui/Field.tsx';
import { FieldError } from '#ui/FieldError.tsx';
import { LocalImage } from '#ui/LocalImage.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import {
  type FileErrors,
  getFileLabel,
  toGalleryFile,
  type GalleryFile,
  validateOnServer,
  validateFiles,
} from './gallery.ts';
import { inspectFile } from '#shared/picked-files/inspect-file.ts';
import { linkLines } from './media-form.ts';
import { getUploadedBytes } from './uploaded-bytes.ts';
import { getAcceptAttribute, toTitle } from '#shared/picked-files/picked-files.ts';

const ACCEPT = MEDIA_KINDS.map(getAcceptAttribute).join(',');
const NONE: FileErrors = {};

/** 'Photos up to 10 MB, videos up to 500 MB, …' */
const formatLimits = (limits: UploadLimits): string =>
  capitalized(MEDIA_KINDS.map(({ key, plural }) => `${plural} up to ${megabytes(limits[key])} MB`).join(', '));

/**
 * Adds files of all kinds and YouTube links at once; each is named after its file. As in the sheets, they are stored on
 * this device before anything is sent.
 */
export function GalleryUpload({ profileId }: { profileId: string }) {
  const { engine } = useAccount();
  const isOnline = useOnline();
  const limits = useUploadLimits();
  const picker = useRef<HTMLInputElement>(null);
  const [picked, setPicked] = useState<readonly GalleryFile[]>([]);
  const draft = useDraft(`gallery:${profileId}`);
  const [typed, setTyped] = useState<string>();
  const links = typed ?? (typeof draft.kept?.links === 'string' ? draft.kept.links : '');
  const setLinks = (next: string) => {
    setTyped(next);
    if (next === '') draft.drop().catch(reportError);
    else draft.keep({ links: next });
  };
  const [errors, setErrors] = useState(NONE);
  const [linkError, setLinkError] = useState<string | null>(null);
  const [summary, setSummary] = useState<string | null>(null);
  const [isStoring, setStoring] = useState(false);
  /** The file that is being copied, and how much of it is. */
  const [copy, setCopy] = useState<{ name: string; done: number; of: number } | null>(null);
  const [queued, setQueued] = useState<readonly string[]>([]);
  // Picked files are not stored yet.
  useBusyWhile(picked.length > 0 || isStoring);
  if (limits === undefined || draft.kept === undefined) return null;

  const showResult = (text: string | null, found: FileErrors = NONE) => {
    setSummary(text);
    setErrors(found);
  };
  /** Returns the links to queue; null if something must be corrected first. */
  const check = async (): Promise<readonly string[] | null> => {
    const { links: lines, error } = linkLines(links);
    setLinkError(error);
    if (picked.length === 0 && lines.length === 0 && error === null) {
      showResult('No files uploaded!');
      return null;
    }
    const here = validateFiles(picked, limits);
    const found = Object.keys(here).length > 0 ? here : await validateOnServer(picked);
    const hasErrors = Object.keys(found).length > 0;
    showResult(hasErrors ? 'Some files failed validation. Check errors below.' : null, found);
    return hasErrors || error !== null ? null : lines;
  };
  const store = async (lines: readonly string[]) => {
    for (const { key, file, kind } of picked) {
      if (!kind) continue;
      const onProgress = (done: number) => setCopy({ name: file.name, done, of: file.size });
      const metadata = await inspectFile(kind.key, file);
      onProgress(0);
      const { id: mediaId } = await engine.importFile(file, { ...metadata, onProgress });
      const { id } = await engine.addMedia(profileId, mediaId, { media_type: kind.key, name: toTitle(file.name) });
      setQueued((before) => [...before, id]);
      setPicked((before) => before.filter((each) => each.key !== key));
    }
    for (const [at, youtube_url] of lines.entries()) {
      const { id } = await engine.addLink(profileId, { name: 'YouTube video', youtube_url });
      setQueued((before) => [...before, id]);
      setLinks(lines.slice(at + 1).join('\n'));
    }
  };
  const handleSave = async () => {
    if (isStoring) return;
    setStoring(true);
    try {
      const lines = await check();
      if (lines !== null) await store(lines);
    } catch (error) {
      showResult(
        toErrorText(error, 'An unexpected error occurred. What you picked is still here.', { noun: 'the file' }),
      );
    } finally {
      setStoring(false);
      setCopy(null);
    }
  };

  return (
    <Card title="Add files and links">
      <div className="space-y-4">
        <FormSummary text={summary} />
        <div className="flex flex-wrap items-center gap-3">
          <Button look="tonal" onClick={() => picker.current?.click()}>
            Choose files
          </Button>
          <span className="text-sm text-muted">{formatLimits(limits)} a file</span>
        </div>
        <FilePicker
          ref={picker}
          accept={ACCEPT}
          multiple
          testId="gallery-picker"
          onPick={(files) => {
            setPicked([...picked, ...files.map(toGalleryFile)]);
            showResult(null);
          }}
        />
        {picked.length > 0 && (
          <ul className="flex flex-wrap gap-3">
            {picked.map((each, index) => (
              <li key={each.key}>
                <Preview
                  picked={each}
                  label={getFileLabel(index)}
                  error={errors[getFileLabel(index)]}
                  onRemove={() => {
                    setPicked(picked.filter(({ key }) => key !== each.key));
                    showResult(null);
                  }}
                />
              </li>
            ))}
          </ul>
        )}
        <TextArea
          name="gallery-links"
          label="YouTube links, one per line"
          optional
          rows={2}
          placeholder="https://youtu.be/…"
          value={links}
          error={linkError ?? undefined}
          onChange={setLinks}
        />
        <Button
          disabled={isStoring}
          icon={links.trim() !== '' && picked.length === 0 ? Link2 : undefined}
          onClick={() => void handleSave()}
        >
          {isStoring ? 'Please wait…' : 'Upload'}
        </Button>
        {copy && <ProgressBar label={`Storing ${shortName(copy.name)}`} done={copy.done} of={copy.of} />}
        {queued.length > 0 && <UploadProgress profileId={profileId} ids={queued} isOnline={isOnline} />}
      </div>
    </Card>
  );
}

interface PreviewProps {
  picked: GalleryFile;
  label: string;
  error: string | undefined;
  onRemove: () => void;
}

/** One picked file, 100 px wide, with its error and a button to remove it. */
function Preview({ picked: { key, file, kind }, label, error, onRemove }: PreviewProps) {
  const Icon = KIND_ICONS[kind?.key ?? 'document'];
  return (
    <figure className="w-[100px]">
      <div className="relative grid size-[100px] place-items-center overflow-hidden rounded-xl bg-base-300">
        <Icon className="size-7 text-muted" strokeWidth={1.75} aria-hidden />
        {kind?.key === 'image' && (
          <LocalImage id={key} bytes={file} alt="" className="absolute inset-0 size-full object-cover" />
        )}
        <IconButton
          label={`Remove ${label}, ${shortName(file.name)}`}
          icon={Trash2}
          className="!absolute right-0 bottom-0 bg-base-100/90"
          onClick={onRemove}
        />
      </div>
      <figcaption className="mt-1 text-xs">
        <b className="block truncate" title={file.name}>
          {label}: {shortName(file.name)}
        </b>
        <span className="num text-muted">{fileSize(file.size)}</span>
        {error && <FieldError>{error}</FieldError>}
      </figcaption>
    </figure>
  );
}

/** The upload progress of the media that were just queued. */
function UploadProgress({
  profileId,
  ids,
  isOnline,
}: {
  profileId: string;
  ids: readonly string[];
  isOnline: boolean;
}) {
  const items = useQuery((db) => mediaItems(db, profileId), [profileId]);
  const ours = items?.filter((item) => ids.includes(item.id)) ?? [];
  const { sent, size } = getUploadedBytes(ours);
  const isAllSaved = ours.length > 0 && ours.every((item) => item.state === 'saved');
  return (
    <div aria-live="polite" className="space-y-2">
      <p className="font-semibold">
        {isAllSaved
          ? 'Saved Successfully!'
          : isOnline
            ? 'Please wait…'
            : `Saved on this ${deviceWord()}. It will send when you’re back online.`}
      </p>
      {!isAllSaved && size > 0 && <ProgressBar label="Sending your files" done={sent} of={size} />}
    </div>
  );
}

import { FileText } from 'lucide-react';
import type { Audition } from '#contract/records/casting.ts';
import { TAPE_LIMITS } from '#contract/records/tapes.ts';
import { profileItem } from '#db/single-items.ts';
import { LeaveLink } from '#shared/picked-files/LeaveLink.tsx';
import { PdfField } from '#shared/picked-files/PdfField.tsx';
import type { PickedFile } from '#shared/picked-files/picked-files.ts';
import type { PdfRules, PickedPdfs } from '#shared/picked-files/use-pdfs.ts';
import { useQuery } from '#shared/queries/use-query.ts';

export const CV_RULES: PdfRules = { maxFiles: 1, maxPages: TAPE_LIMITS.cvPages, nameLength: TAPE_LIMITS.cvName };

interface CvFieldProps {
  audition: Audition;
  cv: PickedPdfs;
  /** All files of the sheet. */
  files: readonly PickedFile[];
  /** Whether an earlier tape for this audition has a CV. */
  hadCv: boolean;
  /** Shows something about what was picked. */
  onNote: (text: string | null) => void;
}

/** The CV that goes with a tape: made from the profile by which the performer was asked, or picked. */
export function CvField({ audition, cv, files, hadCv, onNote }: CvFieldProps) {
  const address = useQuery((db) => profileItem(db, audition.profile_id).then(toCvAddress), [audition.profile_id]);
  const isEmpty = cv.picks.files.length === 0;
  return (
    <div>
      {isEmpty && (
        <p className="mb-2 text-sm text-muted">
          {hadCv
            ? 'The CV of your earlier tape goes when this tape replaces it. Add one here if it should come along.'
            : `A CV can go with your tape. ${audition.casting.name} opens it beside the takes; producers with a link never see it.`}
        </p>
      )}
      <PdfField
        pdfs={cv}
        name="cv"
        label="Your CV"
        addText="Choose a PDF"
        tooManyText="One CV goes with a tape."
        onNote={onNote}
        more={
          <LeaveLink
            files={files}
            look="tonal"
            icon={FileText}
            to={`${address ?? '/cv'}?audition=${audition.id}`}
            state={{ from: 'tape' }}
          >
            Add your CV
          </LeaveLink>
        }
      />
    </div>
  );
}

/** Where the CV of a profile is made. */
function toCvAddress(item: Awaited<ReturnType<typeof profileItem>>): string {
  const { slug, profile_type: type } = item?.body ?? {};
  return typeof slug === 'string' && isNamed(type) ? `/cv/${slug}/${type.slug}` : '/cv';
}

const isNamed = (type: unknown): type is { slug: string } =>
  typeof type === 'object' && type !== null && 'slug' in type && typeof type.slug === 'string';

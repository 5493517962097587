import { useEffect } from 'react';
import { sectionOf } from '#contract/sections/index.ts';
import type { Section } from '#contract/section.ts';
import { profileItem, sectionItems } from '#db/single-items.ts';
import type { WaitingItem } from '#db/views.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { EditProfileForm } from './EditProfileForm.tsx';
import { getEditorParamFor, NEW_ITEM, parseEditorParam } from './editor.ts';
import { SectionForm } from './SectionForm.tsx';

interface ProfileEditorProps {
  profileId: string;
  /** The value of `?edit=`; see editor.ts. */
  value: string;
  onClose: () => void;
}

/** Renders the form that the address names. */
export function ProfileEditor({ profileId, value, onClose }: ProfileEditorProps) {
  const target = parseEditorParam(value);
  const section = sectionOf(target.type);
  if (section) return <SectionEditor profileId={profileId} section={section} id={target.id} onClose={onClose} />;
  return <ProfileFieldsEditor profileId={profileId} onClose={onClose} />;
}

function ProfileFieldsEditor({ profileId, onClose }: Omit<ProfileEditorProps, 'value'>) {
  const item = useQuery((db) => profileItem(db, profileId), [profileId]);
  return item && <EditProfileForm key={item.id} item={item} onClose={onClose} />;
}

function SectionEditor({
  profileId,
  section,
  id,
  onClose,
}: Omit<ProfileEditorProps, 'value'> & { section: Section; id: string }) {
  const items = useQuery((db) => sectionItems(db, section, profileId), [section.key, profileId]);
  const isNew = id === NEW_ITEM;
  const item =
    section.cardinality !== 'many' ? items?.[0] : items?.find((each) => each.id === id || each.aliases?.includes(id));
  const isDeleted = items !== undefined && !isNew && !item && section.cardinality === 'many';
  // The item was deleted on another device while the address still names it.
  useEffect(() => {
    if (isDeleted) onClose();
  }, [isDeleted, onClose]);
  if (!items || isDeleted) return null;
  return (
    <SectionForm
      key={`${section.key}:${id}`}
      section={section}
      title={section.title}
      profileId={profileId}
      item={item}
      onClose={onClose}
    />
  );
}

/** The form for fixing a change that the server refused, opened from Waiting to send. */
export function FixForm({ waiting, onClose }: { waiting: WaitingItem; onClose: () => void }) {
  const { row } = waiting;
  const profileId = row.type === 'profile' ? row.target : row.parent;
  if (profileId === null) return null;
  return <ProfileEditor profileId={profileId} value={getEditorParamFor(row)} onClose={onClose} />;
}

import { PROJECT_FORM } from '#contract/casting/project.ts';
import { LINK_FORM } from '#contract/casting/link.ts';
import { ROLE_FORM } from '#contract/casting/role.ts';
import type { AnyRow } from '#contract/section.ts';
import { sectionOf } from '#contract/sections/index.ts';
import { getMediumShape, type RecordShape } from '#lib/record-shape.ts';

const FORMS: Readonly<Record<string, RecordShape>> = { project: PROJECT_FORM, role: ROLE_FORM, link: LINK_FORM };

/** The shape of a section's row, a medium, a project, a role or a share link; undefined for a profile and a request to audition, whose facts have labels of their own. */
export function getRecordShape(type: string, body: AnyRow): RecordShape | undefined {
  return type === 'media' ? getMediumShape(body) : (FORMS[type] ?? sectionOf(type));
}

import { ROLE_FORM } from '#contract/casting/role.ts';
import { PROJECT_FORM } from '#contract/casting/project.ts';

/**
 * What the demo account is asked to tape for, so that a visitor can try it at once. The ids are fixed: made twice, it is there once.
 */
export const DEMO_AUDITION = {
  from: 'zoya@callboard.example',
  project: { ...PROJECT_FORM.example, client_id: '5f0c3c1e-6a52-4d2c-9d61-0b4a3c8f7a01' },
  role: { ...ROLE_FORM.example, client_id: '5f0c3c1e-6a52-4d2c-9d61-0b4a3c8f7a02' },
  request: {
    client_id: '5f0c3c1e-6a52-4d2c-9d61-0b4a3c8f7a03',
    instructions: 'Scene 14, plain wall, landscape. Two takes at most, the second one quieter.',
    sides_text: [
      'NASEEM',
      'You took the road by the sea.',
      '',
      'IDRIS',
      'It was the only one left.',
      '',
      'NASEEM',
      'Then you know why our mother never did.',
    ].join('\n'),
    naming: 'Role_Name_Take',
    slate: true,
  },
  /** Far enough for every rule, also over a long weekend. */
  dueInDays: 12,
} as const;

export type DemoAudition = typeof DEMO_AUDITION;

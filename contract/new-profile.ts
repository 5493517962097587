/** What POST /profile takes. A new profile's other facts (wage, ages, about me …) follow as a change of it. */
export const NEW_PROFILE_FIELDS = [
  'profile_type_id',
  'stage_name',
  'title',
  'location',
  'profile_industry_id',
] as const;

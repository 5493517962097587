/** The fields of POST /profile. The other fields of a new profile (day rate, ages, about me …) follow in an update. */
export const NEW_PROFILE_FIELDS = [
  'profile_type_id',
  'stage_name',
  'title',
  'location',
  'profile_industry_id',
] as const;

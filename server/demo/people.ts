import type { AnyRow } from '#contract/section.ts';

export interface DemoProfile {
  /** Slug of its type. */
  type: string;
  stage_name: string;
  title: string;
  location: string;
  /** Name of its industry. */
  industry: string;
  per_day: number;
  dob?: string;
  min_age_range: number;
  max_age_range: number;
  /** A drawing in `portraits/`, by name. */
  portrait?: string;
  /** Drawings in `photos/`, the first on top. */
  photos?: { drawing: string; name: string; category_type: string }[];
  description: string;
  /** Rows by section; a section that is not named here gets its example row. */
  sections: Record<string, AnyRow[]>;
}
export interface DemoPerson {
  name: string;
  email: string;
  /** The one the app opens with first. */
  profiles: DemoProfile[];
}

const credit = (
  experience_type: string,
  experience_title: string,
  details: string,
  production_details: string,
  from: [month: number, year: number],
  to: [month: number, year: number],
): AnyRow => ({
  experience_type,
  experience_title,
  details,
  production_details,
  start_month: from[0],
  start_year: from[1],
  end_month: to[0],
  end_year: to[1],
});
const skills = (...list: [name: string, level: 1 | 2 | 3][]): AnyRow[] =>
  list.map(([name, level]) => ({ name, level }));

/** The first one is who the demo signs in as. */
export const DEMO_PEOPLE: DemoPerson[] = [
  {
    name: 'Meera Kulkarni',
    email: 'meera@callboard.example',
    profiles: [
      {
        type: 'actor-performer',
        stage_name: 'Meera Kulkarni',
        portrait: 'meera',
        photos: [
          { drawing: 'morning', name: 'Headshot, morning light', category_type: 'Headshot' },
          { drawing: 'night', name: 'Headshot, night', category_type: 'Headshot' },
          { drawing: 'chowk', name: 'Chowk No. 7, last scene', category_type: 'Still' },
          { drawing: 'rain', name: 'The Salt Road', category_type: 'Still' },
          { drawing: 'kathak', name: 'Kathak solo', category_type: 'Still' },
        ],
        title: 'Actor, stage and screen',
        location: 'Pune, India',
        industry: 'Feature film',
        per_day: 18_000,
        dob: '1994-08-17',
        min_age_range: 24,
        max_age_range: 36,
        description:
          'I came up through Marathi experimental theatre and learned camera on short films. I like parts that change their mind halfway.',
        sections: {
          experience: [
            credit('Movie', 'The Salt Road', 'Revati', 'Dir. Anand Joglekar', [9, 2025], [11, 2025]),
            credit('Theatre', 'Chowk No. 7', 'Sulbha', 'Rangvedh Company', [2, 2024], [5, 2024]),
            credit('TV', 'Second Shift', 'Inspector Naik', 'Lantern Television', [6, 2023], [12, 2023]),
            credit('Theatre', 'Paper Boats', 'The Mother', 'Studio Akshar', [1, 2022], [3, 2022]),
          ],
          skill: skills(['Kathak', 3], ['Stage combat', 2], ['Horse riding', 1], ['Sign language', 1]),
        },
      },
      {
        type: 'voice-artist',
        stage_name: 'Meera K',
        portrait: 'meera',
        title: 'Narration and dubbing',
        location: 'Pune, India',
        industry: 'Dubbing and voice-over',
        per_day: 12_000,
        min_age_range: 18,
        max_age_range: 40,
        description: 'Warm low register, Marathi, Hindi and English. Own booth with a treated room.',
        sections: {
          experience: [credit('Video', 'Rivers of the Deccan', 'Narrator', 'Banyan Films', [3, 2025], [3, 2025])],
          skill: skills(['Lip sync dubbing', 3], ['Cold reading', 3]),
        },
      },
    ],
  },
  {
    name: 'Arjun Nair',
    email: 'arjun@callboard.example',
    profiles: [
      {
        type: 'actor-performer',
        stage_name: 'Arjun Nair',
        title: 'Actor and movement performer',
        location: 'Kochi, India',
        industry: 'Theatre',
        per_day: 15_000,
        min_age_range: 28,
        max_age_range: 42,
        description: 'Trained in kalaripayattu before drama school. At home in physical comedy and in silence.',
        sections: {
          experience: [
            credit('Cinema', 'Monsoon Ledger', 'Babu', 'Dir. Leena Thomas', [7, 2024], [9, 2024]),
            credit('Theatre', 'The Ferryman of Vypin', 'Ferryman', 'Harbour Players', [10, 2022], [1, 2023]),
          ],
          skill: skills(['Kalaripayattu', 3], ['Mime', 3], ['Swimming', 2]),
        },
      },
    ],
  },
  {
    name: 'Zoya Sheikh',
    email: 'zoya@callboard.example',
    profiles: [
      {
        type: 'film-professional',
        stage_name: 'Zoya Sheikh',
        portrait: 'zoya',
        title: 'Casting director',
        location: 'Mumbai, India',
        industry: 'Feature film',
        per_day: 40_000,
        min_age_range: 10,
        max_age_range: 50,
        description: 'I cast independent features and long-form series, and I watch every tape to the end.',
        sections: {
          experience: [credit('Movie', 'Night Bus to Satara', 'Casting', 'Pocket Lamp Pictures', [1, 2025], [4, 2025])],
          skill: skills(['Street casting', 3], ['Audition coaching', 2]),
        },
      },
    ],
  },
  {
    name: 'Tenzin Dolma',
    email: 'tenzin@callboard.example',
    profiles: [
      {
        type: 'theatre-professional',
        stage_name: 'Tenzin Dolma',
        title: 'Stage manager',
        location: 'Bengaluru, India',
        industry: 'Theatre',
        per_day: 14_000,
        min_age_range: 10,
        max_age_range: 50,
        description: 'Touring shows, tight get-ins, calm on the headset.',
        sections: {
          experience: [credit('Theatre', 'Paper Boats', 'Stage manager', 'Studio Akshar', [11, 2021], [3, 2022])],
          skill: skills(['Calling the show', 3], ['Rigging', 2]),
        },
      },
    ],
  },
];

/** Who asked whom; the one who was asked said yes, or has not answered yet. By first names. */
interface DemoTie {
  from: string;
  to: string;
  isAccepted: boolean;
  message?: string;
  /** What the first wrote on the page of the second, by section. */
  rows?: Record<string, AnyRow>;
  /** What was said since, in order. */
  said?: DemoMessage[];
}
interface DemoMessage {
  by: string;
  message?: string;
  /** A drawing in `photos/`. */
  photo?: string;
}
export const DEMO_TIES: DemoTie[] = [
  {
    from: 'arjun',
    to: 'meera',
    isAccepted: true,
    message: 'Paper Boats was the best week of my year.',
    rows: {
      feedback: {
        feedback: 'Prepared, punctual and generous with the scene. I would share a stage with her again tomorrow.',
      },
    },
    said: [
      { by: 'meera', message: 'Mine, too. Is there a second run?' },
      { by: 'arjun', message: 'From the 12th, at Ranga Shankara. Rain rig from 7.' },
      { by: 'arjun', photo: 'rain' },
      { by: 'meera', message: 'Lovely. Should I come with hair tied?' },
      { by: 'arjun', message: 'Tied, yes. And bring the brown shawl.' },
    ],
  },
  {
    from: 'tenzin',
    to: 'meera',
    isAccepted: true,
    rows: { feedback: { feedback: 'Never missed a call in forty shows.' } },
    said: [
      { by: 'tenzin', message: 'Your cue lights are rewired. Warm-up at 5, hall B.' },
      { by: 'meera', message: 'Thank you! I will be there at half past four.' },
    ],
  },
  { from: 'arjun', to: 'tenzin', isAccepted: true },
  {
    from: 'zoya',
    to: 'meera',
    isAccepted: false,
    message: 'I am casting a Marathi series and would like to see a tape.',
  },
];

/** Who keeps whose newest profile for later. */
export const DEMO_SAVED: { by: string; whose: string }[] = [
  { by: 'zoya', whose: 'meera' },
  { by: 'meera', whose: 'zoya' },
];

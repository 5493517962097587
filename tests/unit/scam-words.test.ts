import { describe, expect, test } from 'vitest';
import { detectScamSign } from '#contract/scam-words.ts';

const MONEY = [
  'Congratulations! Pay the registration fee of ₹2,500 to confirm your role.',
  'There is a small refundable security deposit before the shoot.',
  'Send Rs. 1500 on Google Pay and your audition is booked.',
  'Please transfer the amount to our casting director’s account today.',
  'Your portfolio charges are only 5,000 rupees, artist card included.',
  'Kindly share your UPI ID and bank details for the contract.',
  'You are selected. Audition fee 999 only, refunded after first payment.',
  'Deposit $200 by wire transfer and we lock your slot.',
  'Guaranteed role in a web series, only visa fees to be paid by you.',
  'Pay first to confirm your place in the workshop.',
  'Send me the OTP you just got so I can verify your profile.',
  'We need your card number and CVV to hold the costume.',
  'Booking amount has to be paid in bitcoin.',
  'Send 3 gift cards of 5000 each and I add you to the cast.',
  '100% selection after you pay the training fees.',
];
const ELSEWHERE = [
  'Hi dear, message me on WhatsApp 98765 43210 for the details',
  'Please contact on Telegram, we cast there only',
  'Join our group: https://chat.whatsapp.com/abc123',
  'Write to me at casting.star@gmail.example.com please',
  'Ping me on insta, I never read here',
  'Text me +91 98765 43210 tonight',
  'Fill this form bit.ly/audition-now and send photos',
  'Let us continue this outside the app',
  't.me/bigcasting has all calls',
  'Call me 9876543210, urgent requirement',
  'Add me on Snapchat, I will send the script',
  'We can talk on Skype, send your id',
  'DM us on Facebook for the role',
  'Let’s chat off this platform, it is faster',
  'Message us via mail for audition slot, forms.gle/xyz',
];
const HONEST = [
  'Hello, I saw your reel and liked the monologue very much.',
  'Are you free on 14 August for a read-through in Pune?',
  'We are casting a play at the Habitat Centre, paid, rehearsals from 6.',
  'Your day rate is fine for us. Shall we hold two days?',
  'Unit call is 6:15, Gate 3. Bring the grey kurta.',
  'Could you send a 30 second Hindi slate here?',
  'The production pays travel and a hotel near the set.',
  'We pay ₹18,000 per day within thirty days of your invoice.',
  'I worked with Devika on Paper Boats, she told me about you.',
  'Do you speak Marathi? The part has three scenes in it.',
  'There is no fee for the audition, it is at our office on Karve Road.',
  'Could I read your showreel credits before Monday?',
  'The role is a lead, the final selection is with the director.',
  'Lovely to connect! I record voice-overs in Chennai.',
  'What is your height? The costume is ready made.',
  'We shoot at night, from 7 to 4, for five nights.',
  'I am the stage manager of the Monsoon festival.',
  'Your agent sent me here, thank you for the quick answer.',
  'The rehearsal hall has changed, please see the call sheet.',
  'Would you be willing to cut your hair for the part?',
  'I can share the script once you have signed the agreement.',
  'Please send two photos, one smiling, one not.',
  'Is your driving licence valid? There is a scene on a scooter.',
  'We would like you to come to the second round on Tuesday.',
  'Bring your passport for the travel desk on the first day.',
  'My theatre group looks for a guest director in March.',
  'The signal is bad here, I answer again tonight.',
  'Do you still teach the workshop on clowning?',
  'Your invoice was paid this morning, thank you again.',
  'Great voice! Which microphone did you use for the sample?',
];

describe('scam signs of a first message', () => {
  test.each(MONEY)('detects a request for money: %s', (text) => expect(detectScamSign(text)).toBe('money'));
  test.each(ELSEWHERE)('detects a move to another app: %s', (text) => expect(detectScamSign(text)).not.toBeNull());
  test.each(HONEST)('accepts: %s', (text) => expect(detectScamSign(text)).toBeNull());
});

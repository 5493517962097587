ALTER TABLE "blocks" ADD COLUMN "is_named" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "users_at_desk" ON "users" USING btree ("role") WHERE role <> 'person';--> statement-breakpoint
UPDATE "blocks" SET "is_named" = false WHERE NOT (
  EXISTS (SELECT 1 FROM "profiles" WHERE "user_id" = "blocked_id" AND "is_shown")
  OR EXISTS (SELECT 1 FROM "conversations" WHERE "first_id" = least("blocker_id", "blocked_id") AND "second_id" = greatest("blocker_id", "blocked_id"))
  OR EXISTS (SELECT 1 FROM "section_rows" JOIN "profiles" ON "profiles"."id" = "section_rows"."profile_id" WHERE "section_rows"."user_id" = "blocks"."blocked_id" AND "profiles"."user_id" = "blocks"."blocker_id")
  OR EXISTS (SELECT 1 FROM "section_rows" JOIN "profiles" ON "profiles"."id" = "section_rows"."profile_id" WHERE "section_rows"."user_id" = "blocks"."blocker_id" AND "profiles"."user_id" = "blocks"."blocked_id")
);

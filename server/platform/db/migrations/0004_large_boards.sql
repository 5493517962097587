-- The types of today, and those of sections that were added to this installation.
DO $$ BEGIN
  EXECUTE 'CREATE TYPE "sync_type" AS ENUM (' || (
    SELECT string_agg(quote_literal(type), ', ' ORDER BY type) FROM (
      SELECT unnest(ARRAY['about_me', 'attribute', 'award', 'connection', 'contact', 'conversation', 'document', 'education',
        'experience', 'feedback', 'highlight', 'job_role', 'language', 'media', 'message', 'notification', 'policy', 'profile',
        'saved_media', 'saved_profile', 'skill', 'social_link', 'voice_characteristic']) AS type
      UNION SELECT type FROM "sync_records"
    ) AS types
  ) || ')';
END $$;
--> statement-breakpoint
DROP INDEX "sync_records_by_seq";--> statement-breakpoint
-- One statement, so that the table is written once.
ALTER TABLE "sync_records"
  DROP CONSTRAINT "sync_records_user_id_type_record_id_pk",
  ALTER COLUMN "user_id" SET DATA TYPE integer,
  ALTER COLUMN "type" SET DATA TYPE sync_type USING "type"::sync_type,
  ALTER COLUMN "record_id" SET DATA TYPE bigint USING "record_id"::bigint,
  ALTER COLUMN "parent" SET DATA TYPE bigint USING CASE WHEN "type" <> 'message' THEN "parent"::bigint END,
  ALTER COLUMN "seq" SET DATA TYPE integer;
--> statement-breakpoint
CREATE UNIQUE INDEX "sync_records_once" ON "sync_records" USING btree ("record_id","user_id","type") WHERE type <> 'message';--> statement-breakpoint
CREATE INDEX "sync_records_in_order" ON "sync_records" USING btree ("user_id",(seq / 64));--> statement-breakpoint
ANALYZE "sync_records";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "sync_trimmed_on" date;--> statement-breakpoint
CREATE INDEX "profile_search_in_order" ON "profile_search" USING btree ("quality","profile_id");--> statement-breakpoint
CREATE TABLE "removed_people" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"removed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversations" DROP CONSTRAINT "conversations_first_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "conversations" DROP CONSTRAINT "conversations_second_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_sender_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_receiver_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "sync_records" DROP CONSTRAINT "sync_records_user_id_users_id_fk";

-- Counts may be lost in a crash of the database, so they need no write-ahead log.
CREATE UNLOGGED TABLE "limits" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "pending_since" timestamp with time zone;--> statement-breakpoint
UPDATE "sessions" SET "pending_since" = "last_seen_at" WHERE "pending" > 0;--> statement-breakpoint
CREATE INDEX "sessions_unsent" ON "sessions" USING btree ("pending_since") WHERE pending > 0;--> statement-breakpoint
CREATE INDEX "mails_waiting" ON "mails" USING btree ("created_at") WHERE state = 'queued';
ALTER TABLE "profile_search" ADD COLUMN "filler" text DEFAULT repeat(' ', 2100) NOT NULL;--> statement-breakpoint
-- Rows that are there stay as wide as they were written: all are made anew.
DELETE FROM "profile_search";--> statement-breakpoint
INSERT INTO "search_queue" ("profile_id") SELECT "id" FROM "profiles" ORDER BY "id";

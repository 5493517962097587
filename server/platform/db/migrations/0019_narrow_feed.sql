DROP INDEX "sync_records_once";--> statement-breakpoint
ALTER TABLE "sync_records" ALTER COLUMN "parent" SET DATA TYPE integer;--> statement-breakpoint
CREATE UNIQUE INDEX "sync_records_once" ON "sync_records" USING btree ("user_id","type","record_id") WHERE type <> 'message';--> statement-breakpoint
ANALYZE "sync_records";

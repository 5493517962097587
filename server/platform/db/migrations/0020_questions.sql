ALTER TABLE "users" ADD COLUMN "audition_receipts" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "request_id" bigint;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "request_id" bigint;--> statement-breakpoint
ALTER TABLE "audition_requests" ADD COLUMN "deadline_before" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "audition_requests" ADD COLUMN "extra_holidays" text;--> statement-breakpoint
ALTER TABLE "audition_requests" ADD COLUMN "notice_changes" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_request_id_audition_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."audition_requests"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_request_id_audition_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."audition_requests"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversations_of_request" ON "conversations" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "messages_of_request" ON "messages" USING btree ("request_id") WHERE request_id is not null;--> statement-breakpoint
-- Until now, one switch held for conversations and auditions.
UPDATE "users" SET "audition_receipts" = "read_receipts" WHERE NOT "read_receipts";
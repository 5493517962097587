ALTER TABLE "users" ADD COLUMN "news_mail" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "message_mail" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "mail_waits_since" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "notifications_to_mail" ON "notifications" USING btree ("user_id","mail_waits_since") WHERE mail_waits_since is not null;
CREATE TABLE "direct_uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"parts" jsonb NOT NULL,
	"quarantine_name" text NOT NULL,
	"bucket_upload_id" text,
	"state" text DEFAULT 'open' NOT NULL,
	"reason" text,
	"file_key" text,
	"facts" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "direct_uploads_quarantine_name_unique" UNIQUE("quarantine_name"),
	CONSTRAINT "direct_uploads_file_key_unique" UNIQUE("file_key")
);
--> statement-breakpoint
ALTER TABLE "direct_uploads" ADD CONSTRAINT "direct_uploads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "direct_uploads_by_age" ON "direct_uploads" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "direct_uploads_by_user" ON "direct_uploads" USING btree ("user_id");
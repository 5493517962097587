ALTER TABLE "uploads" DROP COLUMN "metadata";
--> statement-breakpoint
ALTER TABLE "uploads" DROP COLUMN "used_at";
--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "parts" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "sha256" text;
--> statement-breakpoint
DROP INDEX "media_by_thumb";
--> statement-breakpoint
ALTER TABLE "media" DROP COLUMN "keywords";
--> statement-breakpoint
CREATE TABLE "stored_files" (
	"key" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"profile_id" bigint NOT NULL,
	"type" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "upload_parts" (
	"upload_id" uuid NOT NULL,
	"start_bytes" bigint NOT NULL,
	"size_bytes" bigint NOT NULL,
	"key" text NOT NULL,
	CONSTRAINT "upload_parts_upload_id_start_bytes_pk" PRIMARY KEY("upload_id","start_bytes"),
	CONSTRAINT "upload_parts_key_unique" UNIQUE("key")
);
--> statement-breakpoint
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "upload_parts" ADD CONSTRAINT "upload_parts_upload_id_uploads_id_fk" FOREIGN KEY ("upload_id") REFERENCES "public"."uploads"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "stored_files_of_profile" ON "stored_files" USING btree ("profile_id");
--> statement-breakpoint
CREATE INDEX "stored_files_of_user" ON "stored_files" USING btree ("user_id");

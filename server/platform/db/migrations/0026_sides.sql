CREATE TABLE "casting_sides" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "casting_sides_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"upload_id" uuid NOT NULL,
	"file_key" text NOT NULL,
	"pages" integer NOT NULL,
	"size_bytes" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "casting_sides_upload" UNIQUE("user_id","upload_id")
);
--> statement-breakpoint
ALTER TABLE "stored_files" DROP CONSTRAINT "stored_files_of_one";--> statement-breakpoint
ALTER TABLE "stored_files" ADD COLUMN "sides_id" bigint;--> statement-breakpoint
ALTER TABLE "audition_requests" ADD COLUMN "sides" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "casting_sides" ADD CONSTRAINT "casting_sides_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_sides_id_casting_sides_id_fk" FOREIGN KEY ("sides_id") REFERENCES "public"."casting_sides"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stored_files_of_sides" ON "stored_files" USING btree ("sides_id");--> statement-breakpoint
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_of_one" CHECK (num_nonnulls("stored_files"."profile_id", "stored_files"."conversation_id", "stored_files"."request_id", "stored_files"."sides_id") = 1);
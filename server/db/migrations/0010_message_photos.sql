ALTER TABLE "stored_files" ALTER COLUMN "profile_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "photo" jsonb;--> statement-breakpoint
ALTER TABLE "stored_files" ADD COLUMN "conversation_id" bigint;--> statement-breakpoint
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stored_files_of_conversation" ON "stored_files" USING btree ("conversation_id");--> statement-breakpoint
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_of_one" CHECK (num_nonnulls("stored_files"."profile_id", "stored_files"."conversation_id") = 1);
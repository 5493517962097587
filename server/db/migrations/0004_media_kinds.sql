CREATE TABLE "saved_media" (
	"user_id" bigint NOT NULL,
	"media_id" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "saved_media_user_id_media_id_pk" PRIMARY KEY("user_id","media_id")
);
--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "peaks" jsonb;--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "youtube_id" text;--> statement-breakpoint
ALTER TABLE "saved_media" ADD CONSTRAINT "saved_media_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_media" ADD CONSTRAINT "saved_media_media_id_media_id_fk" FOREIGN KEY ("media_id") REFERENCES "public"."media"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "savers_of_media" ON "saved_media" USING btree ("media_id");
{{/* Weir's settings but for ROLE and what is secret: infra/config.ts checks them. */}}
{{- define "weir.settings" -}}
HOST: "0.0.0.0"
PORT: "18080"
DATA_DIR: /data
ALLOW_OPEN: {{ ternary "1" "0" .Values.settings.allowOpen | quote }}
ALLOWED_HOSTS: {{ include "weir.hosts" . | quote }}
{{- with .Values.settings.corsOrigins }}
CORS_ORIGINS: {{ join "," . | quote }}
{{- end }}
LOG_LEVEL: {{ .Values.settings.logLevel | quote }}
MAX_BODY_MB: {{ .Values.settings.maxBodyMb | quote }}
MAX_QUERIES: {{ .Values.settings.maxQueries | quote }}
MAX_QUERY_S: {{ .Values.settings.maxQueryS | quote }}
MAX_QUERY_ROWS: {{ include "weir.whole" .Values.settings.maxQueryRows | quote }}
{{- with .Values.settings.maxQueryMb }}
MAX_QUERY_MB: {{ include "weir.whole" . | quote }}
{{- end }}
MAX_LOG_MB: {{ .Values.settings.maxLogMb | int64 | quote }}
MAX_KEYS: {{ .Values.settings.maxKeys | int64 | quote }}
RATE_LIMIT: {{ .Values.settings.rateLimit | int64 | quote }}
NOTIFY_SEND: {{ ternary "1" "0" .Values.settings.notifySend | quote }}
NOTIFY_PRIVATE: {{ ternary "1" "0" .Values.settings.notifyPrivate | quote }}
{{- with .Values.settings.mailFrom }}
MAIL_FROM: {{ . | quote }}
{{- end }}
{{- range $name, $value := .Values.settings.otel }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- with .Values.settings.apiKeys }}
API_KEYS: {{ . | quote }}
{{- end }}
{{- with .Values.kafka }}
KAFKA_BROKERS: {{ join "," .brokers | quote }}
KAFKA_TLS: {{ ternary "1" "0" .tls | quote }}
KAFKA_TOPIC_PREFIX: {{ .topicPrefix | quote }}
KAFKA_PARTITIONS: {{ .partitions | quote }}
KAFKA_REPLICATION: {{ .replication | quote }}
KAFKA_RETENTION_HOURS: {{ .retentionHours | int64 | quote }}
{{- with .saslMechanism }}
KAFKA_SASL_MECHANISM: {{ . | quote }}
{{- end }}
{{- end }}
{{- with .Values.clickhouse.cluster }}
CLICKHOUSE_CLUSTER: {{ . | quote }}
{{- end }}
{{- with .Values.temporal }}
{{- if .address }}
TEMPORAL_ADDRESS: {{ .address | quote }}
TEMPORAL_NAMESPACE: {{ .namespace | quote }}
TEMPORAL_TLS: {{ ternary "1" "0" .tls | quote }}
{{- with .uiUrl }}
TEMPORAL_UI_URL: {{ . | quote }}
{{- end }}
{{- if .tlsSecret }}
TEMPORAL_TLS_SERVER_CA_CERT_PATH: /temporal-tls/ca.crt
TEMPORAL_TLS_CLIENT_CERT_PATH: /temporal-tls/tls.crt
TEMPORAL_TLS_CLIENT_KEY_PATH: /temporal-tls/tls.key
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.s3 }}
S3_ENDPOINT: {{ .endpoint | quote }}
S3_BUCKET_PREFIX: {{ .bucketPrefix | quote }}
{{- end }}
{{- end -}}

{{/* A number of a million or more would be 1e+06 with older versions of Helm. A text stays as it is: the service checks it. */}}
{{- define "weir.whole" -}}
{{ if kindIs "string" . }}{{ . }}{{ else }}{{ int64 . }}{{ end }}
{{- end -}}

{{/* The names under which pods of the cluster, the ingress and others reach the service: it asks for them where there are no keys. */}}
{{- define "weir.hosts" -}}
{{- $name := include "weir.name" . -}}
{{- $within := printf "%s.%s" $name .Release.Namespace -}}
{{- $hosts := list $name $within (printf "%s.svc" $within) (printf "%s.svc.cluster.local" $within) -}}
{{- if .Values.ingress.enabled }}{{ $hosts = append $hosts .Values.ingress.host }}{{ end -}}
{{- join "," (concat $hosts .Values.settings.allowedHosts) -}}
{{- end -}}

{{/* What the secret holds: of an existing one only these names are read, and only where they are used. */}}
{{- define "weir.secretNames" -}}
{{- $names := list "CLICKHOUSE_URL" "S3_ACCESS_KEY_ID" "S3_SECRET_ACCESS_KEY" -}}
{{- if .Values.kafka.saslMechanism }}{{ $names = concat $names (list "KAFKA_SASL_USERNAME" "KAFKA_SASL_PASSWORD") }}{{ end -}}
{{- if and .Values.temporal.address (or .Values.existingSecret .Values.secret.TEMPORAL_API_KEY) }}{{ $names = append $names "TEMPORAL_API_KEY" }}{{ end -}}
{{- if and .Values.settings.apiKeys (or .Values.existingSecret .Values.secret.ADMIN_KEY) }}{{ $names = append $names "ADMIN_KEY" }}{{ end -}}
{{- if .Values.settings.mailFrom }}{{ $names = append $names "SMTP_URL" }}{{ end -}}
{{- join "," $names -}}
{{- end -}}

{{- define "weir.secretEnv" -}}
{{- $root := .root -}}
{{- $secret := .secret -}}
{{- range $i, $name := splitList "," (include "weir.secretNames" $root) }}
{{- if $i }}
{{ end }}- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ $name }}
      {{- if has $name (list "TEMPORAL_API_KEY" "ADMIN_KEY") }}
      optional: true
      {{- end }}
{{- end }}
{{- end -}}

{{- define "weir.secretData" -}}
{{- $values := .Values.secret -}}
{{- range $i, $name := splitList "," (include "weir.secretNames" .) }}
{{- if $i }}
{{ end }}{{ $name }}: {{ required (printf "secret.%s is needed, or existingSecret with it" $name) (get $values $name) | b64enc | quote }}
{{- end }}
{{- end -}}

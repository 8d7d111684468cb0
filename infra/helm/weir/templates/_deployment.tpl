{{/* One role's processes. Takes root, role, and the role's values. */}}
{{- define "weir.deployment" -}}
{{- $name := include "weir.name" .root -}}
{{- $root := .root -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}-{{ .role }}
  labels:
    {{- include "weir.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  {{- if not (dig "autoscaling" "enabled" false .values) }}
  replicas: {{ .values.replicas }}
  {{- end }}
  strategy:
    type: {{ .root.Values.updateStrategy }}
    {{- if eq .root.Values.updateStrategy "RollingUpdate" }}
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
    {{- end }}
  selector:
    matchLabels:
      {{- include "weir.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
  template:
    metadata:
      labels:
        {{- include "weir.selector" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
      annotations:
        checksum/settings: {{ include (print .root.Template.BasePath "/settings.yaml") .root | sha256sum }}
        {{- with .root.Values.existingSecret }}
        # One that is changed by hand is seen by the next upgrade.
        checksum/secret: {{ dig "data" dict (lookup "v1" "Secret" $root.Release.Namespace . | default dict) | toJson | sha256sum }}
        {{- end }}
        {{- with .root.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "weir.serviceAccount" .root }}
      automountServiceAccountToken: false
      # Weir ends within ten seconds of its signal; before that it is taken out of the service.
      terminationGracePeriodSeconds: 30
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        {{- toYaml .root.Values.podSecurityContext | nindent 8 }}
      containers:
        - name: weir
          image: {{ include "weir.image" .root }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          securityContext:
            {{- toYaml .root.Values.securityContext | nindent 12 }}
          envFrom:
            - configMapRef:
                name: {{ $name }}
          env:
            - name: ROLE
              value: {{ .role }}
            {{- include "weir.secretEnv" (dict "root" .root "secret" (include "weir.secret" .root)) | nindent 12 }}
            {{- with .root.Values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          ports:
            - name: http
              containerPort: 18080
          # A start waits for ClickHouse as long as it takes; it is live from its first moment.
          startupProbe:
            httpGet: { path: /health/live, port: http }
            periodSeconds: 2
            failureThreshold: 30
          livenessProbe:
            httpGet: { path: /health/live, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /health/ready, port: http }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          lifecycle:
            preStop:
              exec:
                command: [node, -e, "setTimeout(() => {}, 5000)"]
          resources:
            {{- toYaml .values.resources | nindent 12 }}
          volumeMounts:
            - name: data
              mountPath: /data
            - name: tmp
              mountPath: /tmp
            {{- with .root.Values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
            {{- if and .root.Values.temporal.address .root.Values.temporal.tlsSecret }}
            - name: temporal-tls
              mountPath: /temporal-tls
              readOnly: true
            {{- end }}
      volumes:
        - name: data
          emptyDir:
            sizeLimit: {{ .values.dataSize }}
        - name: tmp
          emptyDir: {}
        {{- with .root.Values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        {{- if and .root.Values.temporal.address .root.Values.temporal.tlsSecret }}
        - name: temporal-tls
          secret:
            secretName: {{ .root.Values.temporal.tlsSecret }}
        {{- end }}
      {{- if not .values.topologySpreadConstraints }}
      # Two pods of a role on one node end together.
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "weir.selector" .root | nindent 14 }}
              app.kubernetes.io/component: {{ .role }}
      {{- end }}
      {{- range $key := list "nodeSelector" "tolerations" "affinity" "topologySpreadConstraints" }}
      {{- with get $.values $key }}
      {{ $key }}:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- end }}
{{- end -}}

{{- define "weir.podDisruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "weir.name" .root }}-{{ .role }}
  labels:
    {{- include "weir.labels" .root | nindent 4 }}
spec:
  maxUnavailable: {{ .values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "weir.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{/*
The processes of the chosen mode. `entry`: the compiled file. `stores`: the servers that it calls; `calls`: the processes. `secrets`: the
keys of the Secret that it reads. `probe`: the port alone, because every route of the gateway ends at an API. `live`, `ready`: the
routes of the probes, where they are not /livez and /readyz.
*/}}
{{- define "palimpsest.processes" -}}
{{- if eq .Values.mode "embedded" -}}
embedded:
  entry: dist/deploy/embedded/main.js
  port: 8001
  stores: [providers, webhooks, tracing]
  secrets: [SERVICE_API_TOKEN, API_TOKENS, ADMIN_API_TOKEN, OPENAI_API_KEY, VOYAGE_API_KEY, CLASSIFICATION_API_KEY]
{{- else -}}
command-api:
  entry: dist/command-api/main.js
  port: 8011
  stores: [postgres, neo4j, qdrant, providers, tracing]
  secrets: [SERVICE_API_TOKEN, API_TOKENS, ADMIN_API_TOKEN, INTERNAL_API_TOKEN, POSTGRES_URL, NEO4J_PASSWORD, QDRANT_API_KEY, OPENAI_API_KEY, VOYAGE_API_KEY, CLASSIFICATION_API_KEY]
relay:
  entry: dist/command-api/relay/main.js
  port: 8014
  stores: [postgres, kafka, tracing]
  secrets: [POSTGRES_URL, KAFKA_SASL_PASSWORD]
projectors:
  entry: dist/projectors/main.js
  port: 8013
  stores: [postgres, neo4j, kafka, qdrant, providers, webhooks, tracing]
  calls: { command-api: 8011 }
  secrets: [INTERNAL_API_TOKEN, POSTGRES_URL, NEO4J_PASSWORD, KAFKA_SASL_PASSWORD, QDRANT_API_KEY, OPENAI_API_KEY, VOYAGE_API_KEY, CLASSIFICATION_API_KEY]
  env:
    COMMAND_API_URL: http://{{ .Release.Name }}-command-api:8011
query-api:
  entry: dist/query-api/main.js
  port: 8012
  stores: [postgres, neo4j, kafka, qdrant, providers, tracing]
  secrets: [SERVICE_API_TOKEN, API_TOKENS, ADMIN_API_TOKEN, POSTGRES_URL, NEO4J_PASSWORD, KAFKA_SASL_PASSWORD, QDRANT_API_KEY, OPENAI_API_KEY, VOYAGE_API_KEY]
gateway:
  entry: dist/deploy/gateway/main.js
  port: 8001
  stores: [tracing]
  calls: { command-api: 8011, query-api: 8012 }
  probe: tcp
  env:
    # The APIs check the tokens.
    ALLOW_ANONYMOUS: 'true'
    # Each Service twice, so that a read that fails is sent again, perhaps to another pod.
    GATEWAY_COMMAND_API_URLS: {{ printf "http://%[1]s-command-api:8011,http://%[1]s-command-api:8011" .Release.Name }}
    GATEWAY_QUERY_API_URLS: {{ printf "http://%[1]s-query-api:8012,http://%[1]s-query-api:8012" .Release.Name }}
{{- if .Values.mcp.enabled }}
mcp:
  entry: dist/deploy/mcp/main.js, --http
  port: 8080
  stores: [tracing]
  calls: { gateway: 8001 }
  live: /health
  ready: /ready
  env:
    # Its callers bring their tokens.
    AUTOMEM_API_URL: http://{{ .Release.Name }}-gateway:8001
{{- end }}
{{- end -}}
{{- end -}}

{{/* The Service that callers use. */}}
{{- define "palimpsest.front" -}}
{{ .Release.Name }}-{{ eq .Values.mode "embedded" | ternary "embedded" "gateway" }}
{{- end -}}

{{/* In the next four, `.root` is the chart and `.name` the process. */}}
{{- define "palimpsest.selector" -}}
app.kubernetes.io/name: palimpsest
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{- define "palimpsest.metadata" -}}
name: {{ .root.Release.Name }}-{{ .name }}
labels:
  {{- include "palimpsest.selector" . | nindent 2 }}
  app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{/* Variables in the order: the process's own, those of every process, those of the values for the process. The last one wins. */}}
{{- define "palimpsest.env" -}}
{{- $own := dict "METRICS_PORT" "9090" "METRICS_HOST" "*" -}}
{{- if .process.port }}{{ $_ := set $own "PORT" (toString .process.port) }}{{ end -}}
{{- range $variable, $value := mergeOverwrite $own (.process.env | default dict) (deepCopy .root.Values.config) (index .root.Values.processes .name).env }}
- name: {{ $variable }}
  value: {{ $value | quote }}
{{- end }}
{{- range .process.secrets }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ required "existingSecret is empty: name a Secret whose keys are variables, for example SERVICE_API_TOKEN" $.root.Values.existingSecret }}
      key: {{ . }}
      optional: {{ not (has . (list "POSTGRES_URL" "INTERNAL_API_TOKEN")) }}
{{- end }}
{{- end -}}

{{/* The template of a pod. `.process` is its entry above. */}}
{{- define "palimpsest.pod" -}}
metadata:
  labels:
    {{- include "palimpsest.selector" . | nindent 4 }}
  {{- with .root.Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  # Longer than the 5 s before SIGTERM and the two deadlines of 10 s after it.
  terminationGracePeriodSeconds: 35
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  {{- range $key := list "imagePullSecrets" "nodeSelector" "tolerations" }}
  {{- with index $.root.Values $key }}
  {{ $key }}:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "palimpsest.selector" . | nindent 10 }}
  {{- if not .process.port }}
  restartPolicy: Never
  {{- end }}
  containers:
    - name: {{ .name }}
      image: {{ printf "%s:%s" .root.Values.image.repository (.root.Values.image.tag | default .root.Chart.AppVersion) | quote }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [{{ .process.entry }}]
      env:
        {{- include "palimpsest.env" . | trim | nindent 8 }}
      {{- with .process.port }}
      ports:
        - { name: http, containerPort: {{ . }} }
        - { name: metrics, containerPort: 9090 }
      {{- $isTcp := eq ($.process.probe | default "http") "tcp" }}
      # The port opens when all servers answer; a start that waits for them longer than five minutes begins again.
      {{- $live := ternary "tcpSocket: { port: http }" (printf "httpGet: { path: %s, port: http }" ($.process.live | default "/livez")) $isTcp }}
      {{- $ready := ternary "tcpSocket: { port: http }" (printf "httpGet: { path: %s, port: http }" ($.process.ready | default "/readyz")) $isTcp }}
      startupProbe:
        {{- $live | nindent 8 }}
        periodSeconds: 2
        failureThreshold: 150
      livenessProbe:
        {{- $live | nindent 8 }}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        {{- $ready | nindent 8 }}
        periodSeconds: 5
        timeoutSeconds: 4
      # Callers stop choosing the pod before it stops accepting.
      lifecycle:
        preStop: { sleep: { seconds: 5 } }
      {{- end }}
      resources:
        {{- toYaml (index .root.Values.processes .name).resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        {{- if eq .name "embedded" }}
        - { name: data, mountPath: /data }
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
{{- end -}}

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>core</name>
    <message>
        <source>18 bytes per 32</source>
        <translation>每 32 个值 18 字节</translation>
    </message>
    <message>
        <source>20 bytes per 32</source>
        <translation>每 32 个值 20 字节</translation>
    </message>
    <message>
        <source>22 bytes per 32</source>
        <translation>每 32 个值 22 字节</translation>
    </message>
    <message>
        <source>24 bytes per 32</source>
        <translation>每 32 个值 24 字节</translation>
    </message>
    <message>
        <source>34 bytes per 32</source>
        <translation>每 32 个值 34 字节</translation>
    </message>
    <message>
        <source>4 bits and a scale byte per 16</source>
        <translation>4 bit，每 16 个值一个缩放字节</translation>
    </message>
    <message>
        <source>656 bytes a token and layer, for MLA with a sparse indexer</source>
        <translation>每 token 每层 656 字节，用于带稀疏索引器的 MLA</translation>
    </message>
    <message>
        <source>8 bits and a scale byte per 32</source>
        <translation>8 bit，每 32 个值一个缩放字节</translation>
    </message>
    <message>
        <source>FP4 (MX, blocks of 16)</source>
        <translation>FP4（MX，每块 16 个值）</translation>
    </message>
    <message>
        <source>FP8 (DeepSeek sparse MLA)</source>
        <translation>FP8（DeepSeek 稀疏 MLA）</translation>
    </message>
    <message>
        <source>FP8 per token and head</source>
        <translation>FP8（逐 token、逐头）</translation>
    </message>
    <message>
        <source>INT4 per token and head</source>
        <translation>INT4（逐 token、逐头）</translation>
    </message>
    <message>
        <source>INT8 per token and head</source>
        <translation>INT8（逐 token、逐头）</translation>
    </message>
    <message>
        <source>TurboQuant 3 bit</source>
        <translation>TurboQuant 3 bit</translation>
    </message>
    <message>
        <source>TurboQuant 4 bit</source>
        <translation>TurboQuant 4 bit</translation>
    </message>
    <message>
        <source>and a 4-byte scale for each token and head</source>
        <translation>每 token 每头另有 4 字节的缩放系数</translation>
    </message>
    <message>
        <source>as vLLM packs K and V into one slot</source>
        <translation>按 vLLM 把 K 和 V 打包进一个槽位的方式</translation>
    </message>
    <message>
        <source>more range, less precision than E4M3</source>
        <translation>范围比 E4M3 大，精度比它低</translation>
    </message>
    <message>
        <source>states and index keys only</source>
        <translation>仅用于状态和索引键</translation>
    </message>
    <message>
        <source>the engine&apos;s own choice</source>
        <translation>由引擎自行选择</translation>
    </message>
    <message>
        <source>&quot;kvplan&quot; is no version of the scenario format</source>
        <translation>“kvplan”不是方案文件格式的有效版本</translation>
    </message>
    <message>
        <source>HF_ENDPOINT is no address of a Hub</source>
        <translation>HF_ENDPOINT 不是 Hub 的地址</translation>
    </message>
    <message>
        <source>K and V in unlike types, which this engine does not take</source>
        <translation>K 与 V 的类型不同，该引擎不支持</translation>
    </message>
    <message>
        <source>a GGUF file holds an array of arrays</source>
        <translation>GGUF 文件中含有嵌套数组</translation>
    </message>
    <message>
        <source>a GGUF file without tensors</source>
        <translation>GGUF 文件中没有张量</translation>
    </message>
    <message>
        <source>a GGUF file written for a big-endian machine</source>
        <translation>为大端机器写的 GGUF 文件</translation>
    </message>
    <message>
        <source>a GPU of that id is there already</source>
        <translation>已有同一 ID 的 GPU</translation>
    </message>
    <message>
        <source>a Git LFS pointer instead of the file</source>
        <translation>这是 Git LFS 指针，不是文件本身</translation>
    </message>
    <message>
        <source>a Hub sent something else than was asked for</source>
        <translation>Hub 返回的不是所请求的内容</translation>
    </message>
    <message>
        <source>a driver&apos;s tool did not answer as it should</source>
        <translation>驱动工具没有正常应答</translation>
    </message>
    <message>
        <source>a figure of a log is no number, or out of its range; it is left out</source>
        <translation>日志中的某个数字无法读取或超出范围，已略去</translation>
    </message>
    <message>
        <source>a file beside the config could not be used</source>
        <translation>config 旁的某个文件无法使用</translation>
    </message>
    <message>
        <source>a file on the Hub is larger than such a file can be</source>
        <translation>Hub 上的文件比这类文件的上限还大</translation>
    </message>
    <message>
        <source>a flag of a launch line that is not known</source>
        <translation>启动命令中有未知的参数</translation>
    </message>
    <message>
        <source>a flag of a launch line whose effect on memory is not planned</source>
        <translation>启动命令中有参数对内存的影响未计入规划</translation>
    </message>
    <message>
        <source>a folder, pipe, socket or device where a file was expected</source>
        <translation>此处应为文件，实际是文件夹、管道、套接字或设备</translation>
    </message>
    <message>
        <source>a key of a GGUF file is no key</source>
        <translation>GGUF 文件中有无效的键</translation>
    </message>
    <message>
        <source>a key of a lesson holds something else than it must</source>
        <translation>课程文件的某个键内容不符合要求</translation>
    </message>
    <message>
        <source>a key stands twice in one object; the last counts</source>
        <translation>同一对象中键重复出现，以最后一个为准</translation>
    </message>
    <message>
        <source>a key that is needed is not there</source>
        <translation>缺少必需的键</translation>
    </message>
    <message>
        <source>a key that plays no part here</source>
        <translation>该键在此不起作用</translation>
    </message>
    <message>
        <source>a kind of layer that is not known</source>
        <translation>未知的层类型</translation>
    </message>
    <message>
        <source>a launch command needs the model&apos;s own name or path put in</source>
        <translation>启动命令中需填入模型自己的名称或路径</translation>
    </message>
    <message>
        <source>a launch line goes on behind the command; that is not read</source>
        <translation>启动命令之后还有内容，未读取</translation>
    </message>
    <message>
        <source>a launch line has an open quote, or a flag&apos;s value is none</source>
        <translation>启动命令中引号未闭合，或参数的值无效</translation>
    </message>
    <message>
        <source>a launch line names a model that is not known here</source>
        <translation>启动命令所指的模型在此未知</translation>
    </message>
    <message>
        <source>a line of a batch is too long</source>
        <translation>批处理中有一行过长</translation>
    </message>
    <message>
        <source>a line that starts no server that is known</source>
        <translation>该命令启动的不是已知的服务</translation>
    </message>
    <message>
        <source>a link that leads back to itself</source>
        <translation>链接指回自身</translation>
    </message>
    <message>
        <source>a manifest names a file that is not in the store</source>
        <translation>清单所指的文件不在模型库中</translation>
    </message>
    <message>
        <source>a manifest of Ollama is broken</source>
        <translation>Ollama 的清单已损坏</translation>
    </message>
    <message>
        <source>a manifest of Ollama names its model by something that is no digest</source>
        <translation>Ollama 清单中指向模型的内容不是摘要</translation>
    </message>
    <message>
        <source>a manifest of Ollama names no GGUF file</source>
        <translation>Ollama 清单未指明 GGUF 文件</translation>
    </message>
    <message>
        <source>a model of a launch line was taken for a preset by its name</source>
        <translation>启动命令中的模型按名称识别为预设</translation>
    </message>
    <message>
        <source>a number leaves what can be counted with</source>
        <translation>数字超出可计算的范围</translation>
    </message>
    <message>
        <source>a number of context-parallel ranks that does not fit the heads or the GPUs</source>
        <translation>上下文并行的 rank 数与头数或 GPU 数不匹配</translation>
    </message>
    <message>
        <source>a number or a result is larger than can be counted with, or smaller than allowed</source>
        <translation>数字或结果大于可计算的上限，或小于允许的下限</translation>
    </message>
    <message>
        <source>a number written as text; it was taken</source>
        <translation>数字以文本形式给出，已接受</translation>
    </message>
    <message>
        <source>a part of a split GGUF is missing</source>
        <translation>缺少拆分 GGUF 的一部分</translation>
    </message>
    <message>
        <source>a path leads out of the model&apos;s folder</source>
        <translation>路径指向模型文件夹之外</translation>
    </message>
    <message>
        <source>a picture without a plan inside</source>
        <translation>图片中没有方案</translation>
    </message>
    <message>
        <source>a quantised V cache needs flash attention</source>
        <translation>量化的 V 缓存需要 flash attention</translation>
    </message>
    <message>
        <source>a question that these settings leave no answer to</source>
        <translation>在这些设置下该问题没有答案</translation>
    </message>
    <message>
        <source>a release newer than the rules known here</source>
        <translation>版本比此处已知的规则更新</translation>
    </message>
    <message>
        <source>a repository&apos;s folder holds no snapshot, or not the one that counts</source>
        <translation>仓库文件夹中没有快照，或缺少应采用的那个</translation>
    </message>
    <message>
        <source>a rule for several windows that was not held against a log</source>
        <translation>多窗口的规则尚未与日志核对</translation>
    </message>
    <message>
        <source>a safetensors index is broken, or does not match its shards</source>
        <translation>safetensors 索引已损坏，或与分片不符</translation>
    </message>
    <message>
        <source>a setting that this engine does not have</source>
        <translation>该引擎没有这项设置</translation>
    </message>
    <message>
        <source>a split over GPUs that the textbook counts and no engine would start with</source>
        <translation>教科书公式可以计算、但没有引擎会这样启动的 GPU 拆分</translation>
    </message>
    <message>
        <source>a tensor does not lie where the sizes before it say</source>
        <translation>张量的位置与它之前的大小不符</translation>
    </message>
    <message>
        <source>a tensor&apos;s name is no name</source>
        <translation>张量名称无效</translation>
    </message>
    <message>
        <source>a tensor&apos;s shape is impossible</source>
        <translation>张量形状不可能存在</translation>
    </message>
    <message>
        <source>a tower for pictures or sound that the weights&apos; figure leaves out</source>
        <translation>权重数字未包含处理图片或声音的部分</translation>
    </message>
    <message>
        <source>a trace has no column of that name, or none that tells a length</source>
        <translation>trace 中没有该名称的列，或没有表示长度的列</translation>
    </message>
    <message>
        <source>a trace without the length of any request</source>
        <translation>trace 中没有任何请求的长度</translation>
    </message>
    <message>
        <source>a value is of another kind, or outside what the key takes</source>
        <translation>值的类型不对，或超出该键允许的范围</translation>
    </message>
    <message>
        <source>a version that is not known</source>
        <translation>未知的版本</translation>
    </message>
    <message>
        <source>an FP8 cache takes the sparse kernels&apos; own layout</source>
        <translation>FP8 缓存采用稀疏内核自己的布局</translation>
    </message>
    <message>
        <source>an address was given where only what is on this machine is read</source>
        <translation>给出的是网络地址，而这里只读取本机内容</translation>
    </message>
    <message>
        <source>an estimate lacks the size of the vocabulary</source>
        <translation>估算缺少词表大小</translation>
    </message>
    <message>
        <source>an option replaced a part of the file, and what belonged to that part</source>
        <translation>某个选项取代了文件中的一部分及其附属内容</translation>
    </message>
    <message>
        <source>another snapshot is taken than refs/main names</source>
        <translation>采用的快照与 refs/main 所指不同</translation>
    </message>
    <message>
        <source>attention blocks are as large as a state needs</source>
        <translation>注意力块增大到状态所需的大小</translation>
    </message>
    <message>
        <source>bytes follow after the end of the file&apos;s content</source>
        <translation>文件内容结束后还有多余字节</translation>
    </message>
    <message>
        <source>context parallelism with layers that do not keep every token</source>
        <translation>有些层不保留全部 token，无法使用上下文并行</translation>
    </message>
    <message>
        <source>draft layers that a launch command does not name</source>
        <translation>启动命令没有指明的草稿层</translation>
    </message>
    <message>
        <source>each replica is started by a command of its own</source>
        <translation>每个副本用各自的命令启动</translation>
    </message>
    <message>
        <source>engines would keep copies of the cache that the textbook does not count</source>
        <translation>引擎会保留教科书公式未计入的缓存副本</translation>
    </message>
    <message>
        <source>fewer tokens in a step than sequences</source>
        <translation>每步的 token 数少于序列数</translation>
    </message>
    <message>
        <source>files of the checkpoint are missing</source>
        <translation>缺少检查点的部分文件</translation>
    </message>
    <message>
        <source>hardware.count is not tp x pp x dp</source>
        <translation>hardware.count 不等于 tp × pp × dp</translation>
    </message>
    <message>
        <source>how the checkpoint is quantised is not known</source>
        <translation>检查点的量化方式未知</translation>
    </message>
    <message>
        <source>how the engine stores this model&apos;s index keys is not known for certain</source>
        <translation>引擎如何存放该模型的索引键尚不确定</translation>
    </message>
    <message>
        <source>how this release sized states is not known</source>
        <translation>该版本如何确定状态大小尚不清楚</translation>
    </message>
    <message>
        <source>keys that are not known; kept, and without effect</source>
        <translation>未知的键：保留，但不起作用</translation>
    </message>
    <message>
        <source>layers with pages of sizes that the engine cannot make equal</source>
        <translation>各层的页大小不同，引擎无法使之相等</translation>
    </message>
    <message>
        <source>long work was cancelled</source>
        <translation>长时间任务已取消</translation>
    </message>
    <message>
        <source>more bytes for KV are given than the GPU has</source>
        <translation>给定的 KV 字节数超过 GPU 显存</translation>
    </message>
    <message>
        <source>more pipeline stages than the model has layers</source>
        <translation>流水线级数多于模型层数</translation>
    </message>
    <message>
        <source>more sequences than the engine runs at a time</source>
        <translation>序列数超过引擎同时运行的上限</translation>
    </message>
    <message>
        <source>more slots than the engine has</source>
        <translation>槽位数超过引擎的上限</translation>
    </message>
    <message>
        <source>no model is named, or none could be read</source>
        <translation>没有指定模型，或模型无法读取</translation>
    </message>
    <message>
        <source>no start-up line of a known engine stands in the log</source>
        <translation>日志中没有已知引擎的启动信息</translation>
    </message>
    <message>
        <source>no tool of a driver told of a GPU in this machine</source>
        <translation>没有驱动工具报告本机的 GPU</translation>
    </message>
    <message>
        <source>of several files it was decided which are the model</source>
        <translation>有多个文件，已判定其中哪些是模型</translation>
    </message>
    <message>
        <source>one request of the longest length does not fit, so that the engine would not start</source>
        <translation>一个最长的请求也放不下，引擎无法启动</translation>
    </message>
    <message>
        <source>only the card&apos;s marketed memory is known</source>
        <translation>只知道该卡的标称显存</translation>
    </message>
    <message>
        <source>pages counted padded to the largest</source>
        <translation>页按填充到最大页计算</translation>
    </message>
    <message>
        <source>reading the file failed</source>
        <translation>读取文件失败</translation>
    </message>
    <message>
        <source>refs/main of a repository names no revision</source>
        <translation>仓库的 refs/main 没有指明版本</translation>
    </message>
    <message>
        <source>rows of a trace without a length were left out</source>
        <translation>已略去 trace 中没有长度的行</translation>
    </message>
    <message>
        <source>safetensors without the config.json that describes the model</source>
        <translation>只有 safetensors，缺少描述模型的 config.json</translation>
    </message>
    <message>
        <source>settings of LoRA slots without LoRA</source>
        <translation>未启用 LoRA 却有 LoRA 槽位的设置</translation>
    </message>
    <message>
        <source>several scenarios have the name asked for</source>
        <translation>有多个方案使用所求的名称</translation>
    </message>
    <message>
        <source>sizes that the file leaves out, taken from the defaults of its model type</source>
        <translation>文件未给出的大小，取自该模型类型的默认值</translation>
    </message>
    <message>
        <source>something that the input does not say was assumed</source>
        <translation>对输入未说明之处作了假设</translation>
    </message>
    <message>
        <source>something that the log does not say was assumed for the plan beside it</source>
        <translation>为与日志对照的规划，对日志未说明之处作了假设</translation>
    </message>
    <message>
        <source>tensor parallelism does not divide the model&apos;s heads</source>
        <translation>张量并行度不能整除模型的头数</translation>
    </message>
    <message>
        <source>the Hub cannot be reached</source>
        <translation>无法连接 Hub</translation>
    </message>
    <message>
        <source>the Hub fell silent</source>
        <translation>Hub 没有响应</translation>
    </message>
    <message>
        <source>the Hub has a fault of its own, or refused a file</source>
        <translation>Hub 自身出错，或拒绝提供文件</translation>
    </message>
    <message>
        <source>the Hub has no such model, revision or file</source>
        <translation>Hub 上没有该模型、版本或文件</translation>
    </message>
    <message>
        <source>the Hub leads to an address that is not followed</source>
        <translation>Hub 指向一个不予跟随的地址</translation>
    </message>
    <message>
        <source>the Hub takes no more requests for now</source>
        <translation>Hub 暂时不再接受请求</translation>
    </message>
    <message>
        <source>the Hub was not reached; the model is as it was fetched earlier</source>
        <translation>未能连接 Hub，模型为之前获取的内容</translation>
    </message>
    <message>
        <source>the JSON is nested too deep</source>
        <translation>JSON 嵌套过深</translation>
    </message>
    <message>
        <source>the access token is none, or cannot be read</source>
        <translation>访问令牌无效或无法读取</translation>
    </message>
    <message>
        <source>the architecture is not known</source>
        <translation>未知的架构</translation>
    </message>
    <message>
        <source>the blocks of a quantised cache do not divide the head size</source>
        <translation>量化缓存的块大小不能整除头维度</translation>
    </message>
    <message>
        <source>the bytes are no UTF-8</source>
        <translation>字节不是 UTF-8</translation>
    </message>
    <message>
        <source>the card&apos;s usable memory is estimated</source>
        <translation>该卡的可用显存为估算值</translation>
    </message>
    <message>
        <source>the command line is not understood</source>
        <translation>无法理解命令行</translation>
    </message>
    <message>
        <source>the connection broke off in the middle of a file</source>
        <translation>传输文件时连接中断</translation>
    </message>
    <message>
        <source>the context does not fit into the cache that the options give</source>
        <translation>上下文超出选项所给的缓存容量</translation>
    </message>
    <message>
        <source>the context is longer than the longest request the engine takes</source>
        <translation>上下文超过引擎接受的最长请求</translation>
    </message>
    <message>
        <source>the context is longer than the model was made for; planned all the same</source>
        <translation>上下文超过模型设计的长度，仍照此规划</translation>
    </message>
    <message>
        <source>the draft model has another vocabulary than the model it drafts for</source>
        <translation>草稿模型的词表与主模型不同</translation>
    </message>
    <message>
        <source>the engine does not count this kind of layer</source>
        <translation>引擎不计算这类层</translation>
    </message>
    <message>
        <source>the engine does not share the prefix with these settings</source>
        <translation>在这些设置下引擎不共享前缀</translation>
    </message>
    <message>
        <source>the engine does not split its work so</source>
        <translation>引擎不这样拆分</translation>
    </message>
    <message>
        <source>the engine does not take this KV type</source>
        <translation>引擎不支持该 KV 类型</translation>
    </message>
    <message>
        <source>the engine has no converter for this model</source>
        <translation>引擎没有该模型的转换器</translation>
    </message>
    <message>
        <source>the engine has no flag for a setting</source>
        <translation>引擎没有对应该设置的参数</translation>
    </message>
    <message>
        <source>the engine has no such option</source>
        <translation>引擎没有该选项</translation>
    </message>
    <message>
        <source>the engine is no server that a command starts</source>
        <translation>该引擎不是用命令启动的服务</translation>
    </message>
    <message>
        <source>the engine needs its hybrid cache manager for this model</source>
        <translation>引擎运行该模型需要混合缓存管理器</translation>
    </message>
    <message>
        <source>the engine runs an FP32 checkpoint in 16 bit</source>
        <translation>引擎以 16 bit 运行 FP32 检查点</translation>
    </message>
    <message>
        <source>the engine sets no memory aside for activations; they come on top</source>
        <translation>引擎不为激活值预留内存，激活值另算</translation>
    </message>
    <message>
        <source>the engine&apos;s kernels for this KV type need a newer GPU</source>
        <translation>引擎对该 KV 类型的内核需要更新的 GPU</translation>
    </message>
    <message>
        <source>the engine&apos;s kernels set another block size than the one asked for</source>
        <translation>引擎的内核采用的块大小与所设不同</translation>
    </message>
    <message>
        <source>the engine&apos;s kernels take no blocks of this size</source>
        <translation>引擎的内核不支持该块大小</translation>
    </message>
    <message>
        <source>the file cannot be written</source>
        <translation>文件无法写入</translation>
    </message>
    <message>
        <source>the file ends too early</source>
        <translation>文件提前结束</translation>
    </message>
    <message>
        <source>the file holds no scenario, or none of the name asked for</source>
        <translation>文件中没有方案，或没有所求名称的方案</translation>
    </message>
    <message>
        <source>the file holds something else than a model</source>
        <translation>文件内容不是模型</translation>
    </message>
    <message>
        <source>the file holds something else than a scenario</source>
        <translation>文件内容不是方案</translation>
    </message>
    <message>
        <source>the file is JSON, but no object</source>
        <translation>文件是 JSON，但不是对象</translation>
    </message>
    <message>
        <source>the file is larger than such a file can be</source>
        <translation>文件比这类文件的上限还大</translation>
    </message>
    <message>
        <source>the file is no GGUF file</source>
        <translation>文件不是 GGUF</translation>
    </message>
    <message>
        <source>the file may not be read</source>
        <translation>没有读取该文件的权限</translation>
    </message>
    <message>
        <source>the folder holds no model</source>
        <translation>文件夹中没有模型</translation>
    </message>
    <message>
        <source>the folder holds several models; one must be named</source>
        <translation>文件夹中有多个模型，需指定其中一个</translation>
    </message>
    <message>
        <source>the folder holds the model in two forms; one was taken</source>
        <translation>文件夹中同一模型有两种形式，已取其一</translation>
    </message>
    <message>
        <source>the formula of the weights was not held against a real file</source>
        <translation>权重公式尚未与真实文件核对</translation>
    </message>
    <message>
        <source>the header is whole, but data is missing; planned from the header</source>
        <translation>文件头完整但数据缺失，按文件头规划</translation>
    </message>
    <message>
        <source>the header of a file contradicts itself</source>
        <translation>文件头自相矛盾</translation>
    </message>
    <message>
        <source>the largest rank of LoRA adapters was assumed</source>
        <translation>LoRA 适配器的最大秩为假设值</translation>
    </message>
    <message>
        <source>the layers dealt to the pipeline stages do not add up</source>
        <translation>分给各流水线级的层数合计不符</translation>
    </message>
    <message>
        <source>the log holds several starts; the last is the one told</source>
        <translation>日志中有多次启动，采用最后一次</translation>
    </message>
    <message>
        <source>the log&apos;s model is a variant of one that is known, which is planned in its place</source>
        <translation>日志中的模型是某个已知模型的变体，按后者规划</translation>
    </message>
    <message>
        <source>the marketed memory of a card and what a program gets of it are not the same number</source>
        <translation>卡的标称显存与程序实际可用的显存不是同一个数</translation>
    </message>
    <message>
        <source>the model has another name now</source>
        <translation>该模型已改名</translation>
    </message>
    <message>
        <source>the model is given out only to who has accepted its licence</source>
        <translation>该模型只提供给接受其许可证的人</translation>
    </message>
    <message>
        <source>the model is not on this machine, and the network is forbidden</source>
        <translation>模型不在本机，且禁止联网</translation>
    </message>
    <message>
        <source>the model keeps no KV cache</source>
        <translation>该模型没有 KV 缓存</translation>
    </message>
    <message>
        <source>the model type is not known and its keys do not say its layers</source>
        <translation>未知的模型类型，其键也没有说明各层</translation>
    </message>
    <message>
        <source>the model was fetched from a Hub, which the note names</source>
        <translation>模型取自说明中所指的 Hub</translation>
    </message>
    <message>
        <source>the model&apos;s file that the log names could not be read</source>
        <translation>无法读取日志所指的模型文件</translation>
    </message>
    <message>
        <source>the model&apos;s type is not known; 16 bit is assumed</source>
        <translation>模型的数据类型未知，假设为 16 bit</translation>
    </message>
    <message>
        <source>the parts of a split GGUF do not belong together</source>
        <translation>拆分 GGUF 的各部分不属于同一文件</translation>
    </message>
    <message>
        <source>the plan beside a log counts like another engine than the log&apos;s</source>
        <translation>与日志对照的规划采用了另一种引擎的规则</translation>
    </message>
    <message>
        <source>the pool is full to the last block, one of which is never handed out</source>
        <translation>池已用到最后一块，而其中一块从不分配</translation>
    </message>
    <message>
        <source>the pool of window layers is too small for one request</source>
        <translation>窗口层的池放不下一个请求</translation>
    </message>
    <message>
        <source>the proxy does not lead to the Hub</source>
        <translation>代理没有通向 Hub</translation>
    </message>
    <message>
        <source>the quantisation was read from hf_quant_config.json</source>
        <translation>量化方式取自 hf_quant_config.json</translation>
    </message>
    <message>
        <source>the repository holds no model that can be planned</source>
        <translation>仓库中没有可规划的模型</translation>
    </message>
    <message>
        <source>the scenario was written in a newer version of the format</source>
        <translation>方案由更新版本的格式写成</translation>
    </message>
    <message>
        <source>the share of memory that the engine plans with is not free when it starts</source>
        <translation>引擎启动时，它计划使用的显存份额并不空闲</translation>
    </message>
    <message>
        <source>the shared prefix is longer than the context</source>
        <translation>共享前缀比上下文还长</translation>
    </message>
    <message>
        <source>the size of the weights is not known</source>
        <translation>权重大小未知</translation>
    </message>
    <message>
        <source>the text is no JSON</source>
        <translation>文本不是 JSON</translation>
    </message>
    <message>
        <source>the weights are pickles, which are never opened</source>
        <translation>权重是 pickle 文件，从不打开</translation>
    </message>
    <message>
        <source>there is no safe connection to the Hub</source>
        <translation>与 Hub 之间没有安全连接</translation>
    </message>
    <message>
        <source>there is no such GPU</source>
        <translation>没有该 GPU</translation>
    </message>
    <message>
        <source>there is no such engine</source>
        <translation>没有该引擎</translation>
    </message>
    <message>
        <source>there is no such file</source>
        <translation>没有该文件</translation>
    </message>
    <message>
        <source>there is no such preset</source>
        <translation>没有该预设</translation>
    </message>
    <message>
        <source>there is no such type</source>
        <translation>没有该类型</translation>
    </message>
    <message>
        <source>there is no such type of weights</source>
        <translation>没有该权重类型</translation>
    </message>
    <message>
        <source>this build has no window</source>
        <translation>此构建不含窗口</translation>
    </message>
    <message>
        <source>this is no name and no address of a model on the Hub</source>
        <translation>这不是 Hub 上模型的名称或地址</translation>
    </message>
    <message>
        <source>two tensors have the same name</source>
        <translation>两个张量同名</translation>
    </message>
    <message>
        <source>two values cannot both hold</source>
        <translation>两个值不能同时成立</translation>
    </message>
    <message>
        <source>unlike cards, which this engine does not take</source>
        <translation>混用不同的卡，该引擎不支持</translation>
    </message>
    <message>
        <source>values that were measured on a real server, in the place of estimates</source>
        <translation>以真实服务上的测量值代替估算</translation>
    </message>
    <message>
        <source>variables in a launch line count as they are written</source>
        <translation>启动命令中的变量按原样处理</translation>
    </message>
    <message>
        <source>weights in this type need a checkpoint stored so</source>
        <translation>该类型的权重需要以此类型保存的检查点</translation>
    </message>
    <message>
        <source>what was found in this machine</source>
        <translation>在本机找到的内容</translation>
    </message>
    <message>
        <source>window or chunk layers are kept at full length</source>
        <translation>窗口层或分块层按全长保留</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is out of range</source>
        <translation>%1：“%2”超出范围</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is out of range (at most 2^63 − 1)</source>
        <translation>%1：“%2”超出范围（最大 2^63 − 1）</translation>
    </message>
    <message>
        <source>%1: expected %2, found &quot;%3&quot;</source>
        <translation>%1：应为%2，实际是“%3”</translation>
    </message>
    <message>
        <source>a fraction such as 0.1 or 10 %</source>
        <translation>比例，例如 0.1 或 10 %</translation>
    </message>
    <message>
        <source>a size such as 80GB, 80GiB, 81559MiB or a number of bytes</source>
        <translation>大小，例如 80GB、80GiB、81559MiB，或字节数</translation>
    </message>
    <message>
        <source>a whole number of tokens such as 131072, 128k (k = 1,024) or 0.5M</source>
        <translation>整数个 token，例如 131072、128k（k = 1,024）或 0.5M</translation>
    </message>
    <message>
        <source>a whole number such as 10 or 2k (k = 1,000)</source>
        <translation>整数，例如 10 或 2k（k = 1,000）</translation>
    </message>
    <message>
        <source>out of range</source>
        <translation>超出范围</translation>
    </message>
    <message>
        <source>chunked attention</source>
        <translation>分块注意力</translation>
    </message>
    <message>
        <source>compressed attention</source>
        <translation>压缩注意力</translation>
    </message>
    <message>
        <source>index keys</source>
        <translation>索引键</translation>
    </message>
    <message>
        <source>latent attention (MLA)</source>
        <translation>潜向量注意力（MLA）</translation>
    </message>
    <message>
        <source>recurrent state</source>
        <translation>循环状态</translation>
    </message>
    <message>
        <source>sliding window</source>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <source>Kimi delta attention</source>
        <translation>Kimi delta attention</translation>
    </message>
    <message>
        <source>gated delta net</source>
        <translation>gated delta net</translation>
    </message>
    <message>
        <source>lightning attention</source>
        <translation>lightning attention</translation>
    </message>
    <message>
        <source>short convolution</source>
        <translation>短卷积</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is no preset, and no model could be read there (%3)</source>
        <translation>%1：“%2”不是预设，该处也读不到模型（%3）</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is no preset, and no model could be read there%3</source>
        <translation>%1：“%2”不是预设，该处也读不到模型%3</translation>
    </message>
    <message>
        <source>Neither a driver&apos;s nor a framework&apos;s figure of %1 is known: counted is the marketed %2; give hardware.memory_bytes if you know better</source>
        <translation>%1 的驱动值和框架值都未知：按标称 %2 计算；若有更准确的数值，请给出 hardware.memory_bytes</translation>
    </message>
    <message>
        <source>inline ECC</source>
        <translation>inline ECC</translation>
    </message>
    <message>
        <source>Compute and output buffers</source>
        <translation>计算与输出缓冲区</translation>
    </message>
    <message>
        <source>Margin left free</source>
        <translation>留空的余量</translation>
    </message>
    <message>
        <source>What remains beside weights and the KV given</source>
        <translation>除权重和给定 KV 之外的部分</translation>
    </message>
    <message>
        <source>a model of its own that drafts, by preset id or path (-md)</source>
        <translation>单独的草稿模型，用预设 ID 或路径指定（-md）</translation>
    </message>
    <message>
        <source>all experts on the host</source>
        <translation>全部专家放在主机</translation>
    </message>
    <message>
        <source>by memory</source>
        <translation>按显存</translation>
    </message>
    <message>
        <source>bytes for KV on each GPU, instead of the memory budget</source>
        <translation>每个 GPU 上给 KV 的字节数，取代显存预算</translation>
    </message>
    <message>
        <source>cells asked for (-c); 0: the trained length</source>
        <translation>请求的单元数（-c）；0：训练长度</translation>
    </message>
    <message>
        <source>compute buffer of each GPU, by hand, as the start-up log prints it</source>
        <translation>每个 GPU 的计算缓冲区，手动给出，即启动日志打印的值</translation>
    </message>
    <message>
        <source>context × sequences</source>
        <translation>上下文 × 序列数</translation>
    </message>
    <message>
        <source>flash attention (-fa)</source>
        <translation>flash attention（-fa）</translation>
    </message>
    <message>
        <source>layers on the GPUs, the output counted (-ngl)</source>
        <translation>放在 GPU 上的层数，含输出层（-ngl）</translation>
    </message>
    <message>
        <source>layers whose experts stay on the host</source>
        <translation>专家留在主机的层数</translation>
    </message>
    <message>
        <source>llama.cpp&apos;s slots share nothing: a common prefix is kept for each</source>
        <translation>llama.cpp 的槽位之间不共享：公共前缀每个槽位各存一份</translation>
    </message>
    <message>
        <source>memory left free on each GPU (--fit-target)</source>
        <translation>每个 GPU 上留空的显存（--fit-target）</translation>
    </message>
    <message>
        <source>one pool of cells for all slots (-kvu)</source>
        <translation>所有槽位共用一个单元池（-kvu）</translation>
    </message>
    <message>
        <source>parallel: llama.cpp has neither data nor pipeline parallel copies of its own; it splits the layers over the GPUs (tensor_split). Take dp 1 and pp 1</source>
        <translation>parallel：llama.cpp 没有自己的数据并行或流水线并行副本，它把各层分到多个 GPU 上（tensor_split）。请用 dp 1、pp 1</translation>
    </message>
    <message>
        <source>shares of the GPUs (-ts)</source>
        <translation>各 GPU 的份额（-ts）</translation>
    </message>
    <message>
        <source>slots (-np), at most 256</source>
        <translation>槽位数（-np），最多 256</translation>
    </message>
    <message>
        <source>states kept for rolling back a draft</source>
        <translation>为回滚草稿而保留的状态数</translation>
    </message>
    <message>
        <source>the cache stays on the host (-nkvo)</source>
        <translation>缓存留在主机（-nkvo）</translation>
    </message>
    <message>
        <source>the release whose rules are counted</source>
        <translation>按哪个版本的规则计算</translation>
    </message>
    <message>
        <source>the sequences</source>
        <translation>序列数</translation>
    </message>
    <message>
        <source>tokens of a batch (-b)</source>
        <translation>批的 token 数（-b）</translation>
    </message>
    <message>
        <source>tokens of a micro batch (-ub)</source>
        <translation>微批的 token 数（-ub）</translation>
    </message>
    <message>
        <source>waits until a slot is free</source>
        <translation>等待空闲槽位</translation>
    </message>
    <message>
        <source>window layers keep every token (--swa-full)</source>
        <translation>窗口层保留全部 token（--swa-full）</translation>
    </message>
    <message>
        <source>engine.options.flash_attn: a quantised V cache (%1) needs flash attention; turn flash_attn on, or take f16 for V</source>
        <translation>engine.options.flash_attn：量化的 V 缓存（%1）需要 flash attention；请打开 flash_attn，或让 V 用 f16</translation>
    </message>
    <message>
        <source>kv: this model keeps K rows only, for which llama.cpp needs one type for K and V; found kv types %1 and %2</source>
        <translation>kv：该模型只保留 K，llama.cpp 要求 K 与 V 类型相同；实际的 KV 类型是 %1 和 %2</translation>
    </message>
    <message>
        <source>engine.id: llama.cpp has no converter for %1; count it like another engine, or open a GGUF file of it</source>
        <translation>engine.id：llama.cpp 没有 %1 的转换器；请按其他引擎计算，或打开它的 GGUF 文件</translation>
    </message>
    <message>
        <source>%1: %2 has no option of this name</source>
        <translation>%1：%2 没有这个名称的选项</translation>
    </message>
    <message>
        <source>%1: expected %2, found %3</source>
        <translation>%1：应为%2，实际是 %3</translation>
    </message>
    <message>
        <source>a list of whole numbers</source>
        <translation>整数列表</translation>
    </message>
    <message>
        <source>a size such as 80GiB or a number of bytes</source>
        <translation>大小，例如 80GiB，或字节数</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a type such as fp32, bf16, fp16, fp8 or fp4</source>
        <translation>类型，例如 fp32、bf16、fp16、fp8 或 fp4</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>did you mean %1?</source>
        <translation>是否指 %1？</translation>
    </message>
    <message>
        <source>engine.options: expected an object, found %1</source>
        <translation>engine.options：应为对象，实际是 %1</translation>
    </message>
    <message>
        <source>it has</source>
        <translation>它有</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>1; 64 with a sparse indexer</source>
        <translation>1；带稀疏索引器时为 64</translation>
    </message>
    <message>
        <source>Left out of mem_fraction_static, for activations and graphs</source>
        <translation>mem_fraction_static 之外，留给激活值和 CUDA graph</translation>
    </message>
    <message>
        <source>SGLang takes the largest rank of the adapters it is started with; without max_lora_rank 16 is assumed here</source>
        <translation>SGLang 取启动时各适配器的最大秩；未给出 max_lora_rank，此处假设为 16</translation>
    </message>
    <message>
        <source>Taken before the model loads</source>
        <translation>加载模型之前已占用</translation>
    </message>
    <message>
        <source>Without enable_lora there are no LoRA slots: their settings have no effect</source>
        <translation>未启用 enable_lora 就没有 LoRA 槽位：相关设置不起作用</translation>
    </message>
    <message>
        <source>Without the radix cache SGLang shares no prefix: it is kept for every sequence</source>
        <translation>没有 radix cache 时 SGLang 不共享前缀：每个序列各存一份</translation>
    </message>
    <message>
        <source>a model of its own that drafts, by preset id or path (--speculative-draft-model-path)</source>
        <translation>单独的草稿模型，用预设 ID 或路径指定（--speculative-draft-model-path）</translation>
    </message>
    <message>
        <source>adapters in one batch, the plain model counted: slots that are set aside</source>
        <translation>同一批中的适配器数，含原模型：预留的槽位</translation>
    </message>
    <message>
        <source>as the config hints, else fp32</source>
        <translation>按 config 的提示，否则 fp32</translation>
    </message>
    <message>
        <source>attention data parallelism inside the tensor-parallel group</source>
        <translation>张量并行组内的注意力数据并行</translation>
    </message>
    <message>
        <source>by the card</source>
        <translation>由卡决定</translation>
    </message>
    <message>
        <source>by the card and the batch</source>
        <translation>由卡和批大小决定</translation>
    </message>
    <message>
        <source>by the memory</source>
        <translation>由显存决定</translation>
    </message>
    <message>
        <source>by the tokens, 2,048 to 4,096</source>
        <translation>由 token 数决定，2,048 到 4,096</translation>
    </message>
    <message>
        <source>draft or MTP layers that cache as well</source>
        <translation>同样需要缓存的草稿层或 MTP 层</translation>
    </message>
    <message>
        <source>largest batch with a CUDA graph, for the default memory share</source>
        <translation>带 CUDA graph 的最大批，用于默认显存份额</translation>
    </message>
    <message>
        <source>largest rank of an adapter</source>
        <translation>适配器的最大秩</translation>
    </message>
    <message>
        <source>memory of states for each of the full pool</source>
        <translation>状态的显存，相对于完整池</translation>
    </message>
    <message>
        <source>memory of the share that neither weights nor KV get, by hand</source>
        <translation>份额中既不给权重也不给 KV 的显存，手动给出</translation>
    </message>
    <message>
        <source>most sequences of a replica</source>
        <translation>每个副本的最大序列数</translation>
    </message>
    <message>
        <source>of the adapters named</source>
        <translation>取自所列的适配器</translation>
    </message>
    <message>
        <source>queues it</source>
        <translation>会让它排队</translation>
    </message>
    <message>
        <source>ranks that share the tokens of a sequence</source>
        <translation>分担一个序列的 token 的 rank 数</translation>
    </message>
    <message>
        <source>serve LoRA adapters; room for them is set aside at start</source>
        <translation>服务 LoRA 适配器；启动时为其预留空间</translation>
    </message>
    <message>
        <source>share no prefixes</source>
        <translation>不共享前缀</translation>
    </message>
    <message>
        <source>share of the memory for weights and KV</source>
        <translation>用于权重和 KV 的显存份额</translation>
    </message>
    <message>
        <source>slots of states</source>
        <translation>状态的槽位数</translation>
    </message>
    <message>
        <source>tokens of one page</source>
        <translation>每页的 token 数</translation>
    </message>
    <message>
        <source>tokens of one prefill chunk, for the default memory share</source>
        <translation>每个预填充分块的 token 数，用于默认显存份额</translation>
    </message>
    <message>
        <source>tokens of the window pool for each of the full pool</source>
        <translation>窗口池的 token 数，相对于完整池</translation>
    </message>
    <message>
        <source>type of the states&apos; convolution part</source>
        <translation>状态中卷积部分的类型</translation>
    </message>
    <message>
        <source>type of the states&apos; recurrent part</source>
        <translation>状态中循环部分的类型</translation>
    </message>
    <message>
        <source>engine.id: how sglang sizes the pools of compressed attention (%1) is not known whole; count like textbook or vllm</source>
        <translation>engine.id：sglang 如何确定压缩注意力（%1）各池的大小尚不完全清楚；请按 textbook 或 vllm 计算</translation>
    </message>
    <message>
        <source>%1 sequence</source>
        <translation>%1 个序列</translation>
    </message>
    <message>
        <source>SGLang&apos;s default of max_running_requests runs %1 at a time</source>
        <translation>SGLang 的 max_running_requests 默认同时运行 %1 个</translation>
    </message>
    <message>
        <source>engine.options.page_size: expected a whole number of 1 or more</source>
        <translation>engine.options.page_size：应为不小于 1 的整数</translation>
    </message>
    <message>
        <source>max_running_requests runs %1 at a time</source>
        <translation>max_running_requests 同时运行 %1 个</translation>
    </message>
    <message>
        <source>Profiling peak beside the weights</source>
        <translation>权重之外的 profiling 峰值</translation>
    </message>
    <message>
        <source>Several windows share the memory in equal parts; this rule of TensorRT-LLM is read from its source, not held against a log</source>
        <translation>多个窗口平分内存；TensorRT-LLM 的这条规则读自其源码，尚未与日志核对</translation>
    </message>
    <message>
        <source>Withheld by free_gpu_memory_fraction</source>
        <translation>free_gpu_memory_fraction 之外的部分</translation>
    </message>
    <message>
        <source>bytes for KV on each GPU after the fraction, instead of the memory budget</source>
        <translation>乘以份额之后每个 GPU 给 KV 的字节数，取代显存预算</translation>
    </message>
    <message>
        <source>draft or MTP layers that cache as well, on the last stage</source>
        <translation>最后一级上同样需要缓存的草稿层或 MTP 层</translation>
    </message>
    <message>
        <source>every GPU of the tensor-parallel group serves its own requests</source>
        <translation>张量并行组中每个 GPU 服务各自的请求</translation>
    </message>
    <message>
        <source>layers of each pipeline stage</source>
        <translation>每个流水线级的层数</translation>
    </message>
    <message>
        <source>most sequences of a replica; given, also the slots of states</source>
        <translation>每个副本的最大序列数；给出时也是状态的槽位数</translation>
    </message>
    <message>
        <source>peak of activations and all outside the framework, by hand</source>
        <translation>激活值峰值及框架之外的全部内存，手动给出</translation>
    </message>
    <message>
        <source>share of the memory free after weights and peak that goes to KV</source>
        <translation>权重和峰值之后剩余显存中分给 KV 的份额</translation>
    </message>
    <message>
        <source>the first stages take the rest</source>
        <translation>余数归前几级</translation>
    </message>
    <message>
        <source>tokens of one block</source>
        <translation>每块的 token 数</translation>
    </message>
    <message>
        <source>type of the recurrent states</source>
        <translation>循环状态的类型</translation>
    </message>
    <message>
        <source>type of the sparse indexer&apos;s keys: fp8 or fp4</source>
        <translation>稀疏索引器的键的类型：fp8 或 fp4</translation>
    </message>
    <message>
        <source>windows by layer, repeated; 0: full</source>
        <translation>逐层的窗口，循环使用；0：全长</translation>
    </message>
    <message>
        <source>engine.id: how tensorrt-llm keeps compressed attention (%1) is not known; count like textbook or vllm</source>
        <translation>engine.id：tensorrt-llm 如何保存压缩注意力（%1）未知；请按 textbook 或 vllm 计算</translation>
    </message>
    <message>
        <source>TensorRT-LLM&apos;s default of max_batch_size runs %1 at a time</source>
        <translation>TensorRT-LLM 的 max_batch_size 默认同时运行 %1 个</translation>
    </message>
    <message>
        <source>max_batch_size runs %1 at a time</source>
        <translation>max_batch_size 同时运行 %1 个</translation>
    </message>
    <message>
        <source>%1 is what the box says. A program gets %2 (%3) of it; the engines count from that, the textbook from the label</source>
        <translation>%1 是包装上的标称值。程序实际得到 %2（%3）；引擎按后者计算，教科书公式按标称值计算</translation>
    </message>
    <message>
        <source>Textbook formula</source>
        <translation>教科书公式</translation>
    </message>
    <message>
        <source>The textbook counts one copy of the cache; %1: count like an engine to see what that takes</source>
        <translation>教科书公式只计算一份缓存；%1：按某个引擎计算即可看到实际占用</translation>
    </message>
    <message>
        <source>is beyond the memory</source>
        <translation>超出内存</translation>
    </message>
    <message>
        <source>layers of multi-token prediction that cache as well</source>
        <translation>同样需要缓存的多 token 预测（MTP）层</translation>
    </message>
    <message>
        <source>the model&apos;s own</source>
        <translation>模型自己的</translation>
    </message>
    <message>
        <source>tokens of the encoder that cross-attention keeps</source>
        <translation>交叉注意力保留的编码器 token 数</translation>
    </message>
    <message>
        <source>Activations come on top: Transformers sets no memory aside for them</source>
        <translation>激活值另算：Transformers 不为其预留内存</translation>
    </message>
    <message>
        <source>Transformers keeps a prefix for every sequence: sharing has no effect</source>
        <translation>Transformers 为每个序列各存一份前缀：共享不起作用</translation>
    </message>
    <message>
        <source>engine.id: how transformers keeps compressed attention (%1) is not known; count like textbook or vllm</source>
        <translation>engine.id：transformers 如何保存压缩注意力（%1）未知；请按 textbook 或 vllm 计算</translation>
    </message>
    <message>
        <source>runs out of memory</source>
        <translation>会耗尽内存</translation>
    </message>
    <message>
        <source>the context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>tokens that a static cache is made for</source>
        <translation>静态缓存所能容纳的 token 数</translation>
    </message>
    <message>
        <source>which cache generate() uses</source>
        <translation>generate() 使用哪种缓存</translation>
    </message>
    <message>
        <source>waits in vLLM&apos;s queue, or preempts another</source>
        <translation>会在 vLLM 的队列中等待，或抢占其他序列</translation>
    </message>
    <message>
        <source>%1: vLLM does not start this model without the hybrid manager (its layers need unlike numbers of blocks: states, cross-attention or several windows); leave it on (false)</source>
        <translation>%1：没有混合管理器，vLLM 不启动该模型（各层所需块数不同：状态、交叉注意力或多个窗口）；请保持开启（false）</translation>
    </message>
    <message>
        <source>0.92 (0.90 before 0.22)</source>
        <translation>0.92（0.22 之前为 0.90）</translation>
    </message>
    <message>
        <source>1,024 (256 on cards below 70 GiB and A100)</source>
        <translation>1,024（低于 70 GiB 的卡和 A100 为 256）</translation>
    </message>
    <message>
        <source>16 (64 for latent models, 256 for DeepSeek V4)</source>
        <translation>16（潜向量模型为 64，DeepSeek V4 为 256）</translation>
    </message>
    <message>
        <source>8,192 (2,048 on cards below 70 GiB and A100 before 0.24)</source>
        <translation>8,192（0.24 之前，低于 70 GiB 的卡和 A100 为 2,048）</translation>
    </message>
    <message>
        <source>MTP or EAGLE layers that cache as well, on the last stage</source>
        <translation>最后一级上同样需要缓存的 MTP 或 EAGLE 层</translation>
    </message>
    <message>
        <source>a model of its own that drafts, by preset id or path (--speculative-config)</source>
        <translation>单独的草稿模型，用预设 ID 或路径指定（--speculative-config）</translation>
    </message>
    <message>
        <source>activation peak, by hand, as the start-up log prints it</source>
        <translation>激活值峰值，手动给出，即启动日志打印的值</translation>
    </message>
    <message>
        <source>adapters in one batch: slots that are set aside</source>
        <translation>同一批中的适配器数：预留的槽位</translation>
    </message>
    <message>
        <source>as the model asks</source>
        <translation>按模型的要求</translation>
    </message>
    <message>
        <source>bytes for KV on each GPU as the start-up log prints them, instead of the memory budget</source>
        <translation>每个 GPU 上给 KV 的字节数，即启动日志打印的值，取代显存预算</translation>
    </message>
    <message>
        <source>encoder tokens that cross-attention is charged for</source>
        <translation>计入交叉注意力的编码器 token 数</translation>
    </message>
    <message>
        <source>even, the rest before the last stage</source>
        <translation>平均分配，余数归最后一级之前</translation>
    </message>
    <message>
        <source>keep window layers at full length</source>
        <translation>窗口层按全长保留</translation>
    </message>
    <message>
        <source>longest request the server takes; one of this length must fit, else it does not start</source>
        <translation>服务接受的最长请求；必须放得下一个这样的请求，否则不启动</translation>
    </message>
    <message>
        <source>memory of CUDA graphs, by hand</source>
        <translation>CUDA graph 的内存，手动给出</translation>
    </message>
    <message>
        <source>memory outside the framework, by hand, as the start-up log prints it</source>
        <translation>框架之外的内存，手动给出，即启动日志打印的值</translation>
    </message>
    <message>
        <source>most sequences of one replica at a time</source>
        <translation>一个副本同时运行的最大序列数</translation>
    </message>
    <message>
        <source>no CUDA graphs</source>
        <translation>不使用 CUDA graph</translation>
    </message>
    <message>
        <source>none; with prefix caching all or align</source>
        <translation>none；使用前缀缓存时为 all 或 align</translation>
    </message>
    <message>
        <source>share equal beginnings of prompts</source>
        <translation>共享相同的提示词开头</translation>
    </message>
    <message>
        <source>share of a GPU&apos;s memory that the engine plans with</source>
        <translation>引擎计划使用的 GPU 显存份额</translation>
    </message>
    <message>
        <source>the release whose rules are counted, from 0.6 on</source>
        <translation>按哪个版本的规则计算，从 0.6 起</translation>
    </message>
    <message>
        <source>tokens drafted ahead; states keep a row for each</source>
        <translation>预先草拟的 token 数；状态为每个保留一行</translation>
    </message>
    <message>
        <source>tokens in one block of the cache</source>
        <translation>缓存每块的 token 数</translation>
    </message>
    <message>
        <source>tokens of one step; windows are charged for them, and activations grow with them</source>
        <translation>每步的 token 数；窗口按它计费，激活值随它增长</translation>
    </message>
    <message>
        <source>true (false for models with states, and before 0.8)</source>
        <translation>true（带状态的模型和 0.8 之前为 false）</translation>
    </message>
    <message>
        <source>which states are kept</source>
        <translation>保留哪些状态</translation>
    </message>
    <message>
        <source>a compressor&apos;s state is larger than any page of the entries</source>
        <translation>压缩器的状态比任何条目页都大</translation>
    </message>
    <message>
        <source>its windows of latents stand beside no compressed entries of one block size</source>
        <translation>其潜向量窗口旁没有块大小一致的压缩条目</translation>
    </message>
    <message>
        <source>vLLM %1 does not start this model: %2</source>
        <translation>vLLM %1 不启动该模型：%2</translation>
    </message>
    <message>
        <source>Activation peak</source>
        <translation>激活值峰值</translation>
    </message>
    <message>
        <source>CUDA graphs</source>
        <translation>CUDA graph</translation>
    </message>
    <message>
        <source>Outside the framework&apos;s allocator</source>
        <translation>框架分配器之外</translation>
    </message>
    <message>
        <source>Withheld by gpu_memory_utilization</source>
        <translation>gpu_memory_utilization 之外的部分</translation>
    </message>
    <message>
        <source>vLLM starts only where the share it plans with is free; lower gpu_memory_utilization</source>
        <translation>只有计划使用的份额空闲时 vLLM 才启动；请调低 gpu_memory_utilization</translation>
    </message>
    <message>
        <source>How vLLM %1 sized states is not known; they are counted like those of 0.11</source>
        <translation>vLLM %1 如何确定状态大小尚不清楚；按 0.11 的规则计算</translation>
    </message>
    <message>
        <source>How vLLM stores the index keys beside this model&apos;s attention is not known for certain; they are counted in 16 bit</source>
        <translation>vLLM 在该模型的注意力旁如何存放索引键尚不确定；按 16 bit 计算</translation>
    </message>
    <message>
        <source>Prefix caching is off (vLLM&apos;s default for models with states): nothing is shared, the prefix is kept for every sequence</source>
        <translation>前缀缓存已关闭（带状态的模型在 vLLM 中的默认）：不共享，每个序列各存一份前缀</translation>
    </message>
    <message>
        <source>Prefix caching is off: nothing is shared, the prefix is kept for every sequence</source>
        <translation>前缀缓存已关闭：不共享，每个序列各存一份前缀</translation>
    </message>
    <message>
        <source>The layers&apos; pages do not divide: smaller ones are counted padded to the largest, which not every attention backend can read</source>
        <translation>各层的页不能整除：较小的页按填充到最大页计算，并非所有注意力后端都能读取</translation>
    </message>
    <message>
        <source>The pool is full to the last block. vLLM never hands out one block of it, so that at this point it holds one sequence less; its log ignores that too</source>
        <translation>池已用到最后一块。vLLM 有一块从不分配，因此此时实际少放一个序列；它的日志也忽略这一点</translation>
    </message>
    <message>
        <source>The vocabulary&apos;s size is not known: the activation peak, estimated from it, is too low; give activation_bytes</source>
        <translation>词表大小未知：据此估算的激活值峰值偏低；请给出 activation_bytes</translation>
    </message>
    <message>
        <source>With FP8 the sparse latent kernels keep their own layout, fp8_ds_mla of 656 bytes a token and layer (FlashInfer&apos;s, on Blackwell, keeps 576)</source>
        <translation>使用 FP8 时，稀疏潜向量内核有自己的布局 fp8_ds_mla，每 token 每层 656 字节（Blackwell 上 FlashInfer 的布局为 576）</translation>
    </message>
    <message>
        <source>Without enable_lora there are no LoRA slots: max_loras and max_lora_rank have no effect</source>
        <translation>未启用 enable_lora 就没有 LoRA 槽位：max_loras 和 max_lora_rank 不起作用</translation>
    </message>
    <message>
        <source>Without groups of their own, layers with a window or chunk are kept at full length</source>
        <translation>没有各自的组时，带窗口或分块的层按全长保留</translation>
    </message>
    <message>
        <source>Without prefix caching vLLM keeps the last state alone: mamba_cache_mode has no effect</source>
        <translation>没有前缀缓存时 vLLM 只保留最后的状态：mamba_cache_mode 不起作用</translation>
    </message>
    <message>
        <source>vLLM %1 is newer than the rules known here; it is counted like 0.28</source>
        <translation>vLLM %1 比此处已知的规则更新；按 0.28 计算</translation>
    </message>
    <message>
        <source>vLLM runs FP32 checkpoints in 16 bit</source>
        <translation>vLLM 以 16 bit 运行 FP32 检查点</translation>
    </message>
    <message>
        <source>vLLM starts only where the share it plans with is free, and the driver&apos;s own context takes some of it: lower gpu_memory_utilization</source>
        <translation>只有计划使用的份额空闲时 vLLM 才启动，而驱动自己的上下文也占一部分：请调低 gpu_memory_utilization</translation>
    </message>
    <message>
        <source>vLLM would not start: it wants its share of the memory free, and others take %1 of it; lower gpu_memory_utilization</source>
        <translation>vLLM 无法启动：它要求自己的显存份额空闲，而其他程序占用了其中 %1；请调低 gpu_memory_utilization</translation>
    </message>
    <message>
        <source>vLLM would not start: no memory is left for the cache after weights and activations</source>
        <translation>vLLM 无法启动：除去权重和激活值，没有内存留给缓存</translation>
    </message>
    <message>
        <source>%1 (a release between two of them counts like the earlier one)</source>
        <translation>%1（介于两者之间的版本按较早的计算）</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is no release of vLLM; known</source>
        <translation>%1：“%2”不是 vLLM 的版本；已知的有</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is older than any release whose rules are known; known</source>
        <translation>%1：“%2”比所有已知规则的版本都早；已知的有</translation>
    </message>
    <message>
        <source>engine.options.gpu_memory_utilization: expected a fraction above 0 and up to 1</source>
        <translation>engine.options.gpu_memory_utilization：应为大于 0 且不超过 1 的比例</translation>
    </message>
    <message>
        <source>%1: vLLM shares the tokens of a sequence between ranks only where every layer keeps all tokens; this model has windows, states or cross-attention: leave it at 1</source>
        <translation>%1：只有每层都保留全部 token 时，vLLM 才在 rank 之间分担一个序列的 token；该模型有窗口、状态或交叉注意力：请保持为 1</translation>
    </message>
    <message>
        <source>engine.id: vLLM has no layer for the states of this model (%1); count like textbook or llama-cpp</source>
        <translation>engine.id：vLLM 没有该模型状态的层（%1）；请按 textbook 或 llama-cpp 计算</translation>
    </message>
    <message>
        <source>engine.options.version: vLLM dropped this model (%1) after 0.10.2; count like 0.8, or like textbook</source>
        <translation>engine.options.version：vLLM 在 0.10.2 之后移除了该模型（%1）；请按 0.8 或 textbook 计算</translation>
    </message>
    <message>
        <source>kv.dtype: vLLM %1 does not keep the cache of this model in %2; it takes auto</source>
        <translation>kv.dtype：vLLM %1 不能以 %2 保存该模型的缓存；只支持 auto</translation>
    </message>
    <message>
        <source>answered more than such an answer can be</source>
        <translation>的应答超过了应有的大小</translation>
    </message>
    <message>
        <source>did not answer in time</source>
        <translation>没有按时应答</translation>
    </message>
    <message>
        <source>no GPU was found in this machine: %1 were looked for, and none of them told of one</source>
        <translation>本机没有找到 GPU：查找了 %1，都没有报告 GPU</translation>
    </message>
    <message>
        <source>tells no memory of %1, and the list does not know it either</source>
        <translation>没有给出 %1 的显存，列表中也没有</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>%1 (kvplanner models lists all)</source>
        <translation>%1（kvplanner models 列出全部）</translation>
    </message>
    <message>
        <source>did you mean &quot;%1&quot;?</source>
        <translation>是否指“%1”？</translation>
    </message>
    <message>
        <source>model.preset: there is no preset &quot;%1&quot;</source>
        <translation>model.preset：没有预设“%1”</translation>
    </message>
    <message>
        <source>preset %1</source>
        <translation>预设 %1</translation>
    </message>
    <message>
        <source>Display and other programs</source>
        <translation>显示与其他程序</translation>
    </message>
    <message>
        <source>KV cache of the draft model</source>
        <translation>草稿模型的 KV 缓存</translation>
    </message>
    <message>
        <source>KV cache of the sequences</source>
        <translation>各序列的 KV 缓存</translation>
    </message>
    <message>
        <source>LoRA slots</source>
        <translation>LoRA 槽位</translation>
    </message>
    <message>
        <source>Memory that the engine counts from</source>
        <translation>引擎据以计算的显存</translation>
    </message>
    <message>
        <source>Weights of the draft model</source>
        <translation>草稿模型的权重</translation>
    </message>
    <message>
        <source>by hand</source>
        <translation>手动给出</translation>
    </message>
    <message>
        <source>Cards of unlike bandwidth: which layers lie on which decides. Plan with alike ones for a bound</source>
        <translation>各卡带宽不同：取决于各层放在哪张卡上。要得到下限，请用相同的卡规划</translation>
    </message>
    <message>
        <source>Part of it lies in the host&apos;s memory, whose bandwidth is not known: put all of it on the GPUs for a bound</source>
        <translation>有一部分在主机内存中，其带宽未知：要得到下限，请全部放在 GPU 上</translation>
    </message>
    <message>
        <source>The figures are too large to be divided by a bandwidth</source>
        <translation>数字过大，无法除以带宽</translation>
    </message>
    <message>
        <source>The memory bandwidth of %1 is not known: choose a card that has one, or add yours with its bandwidth to the list of GPUs</source>
        <translation>%1 的显存带宽未知：请选择有带宽数据的卡，或把你的卡连同带宽加入 GPU 列表</translation>
    </message>
    <message>
        <source>The size of the weights is not known: choose their type, or give their bytes by hand</source>
        <translation>权重大小未知：请选择权重类型，或手动给出字节数</translation>
    </message>
    <message>
        <source>There is no plan to take it from</source>
        <translation>没有可供计算的规划</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is not known (kvplanner gpus lists all)</source>
        <translation>%1：“%2”未知（kvplanner gpus 列出全部）</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is not known; did you mean %3? (kvplanner gpus lists all)</source>
        <translation>%1：“%2”未知；是否指 %3？（kvplanner gpus 列出全部）</translation>
    </message>
    <message>
        <source>The reserve is the textbook&apos;s alone and has no effect here; %1 has %2 in its place</source>
        <translation>预留只用于教科书公式，在此不起作用；%1 用 %2 代替它</translation>
    </message>
    <message>
        <source>The reserve is the textbook&apos;s alone and has no effect here; %1 has nothing in its place</source>
        <translation>预留只用于教科书公式，在此不起作用；%1 没有与之对应的设置</translation>
    </message>
    <message>
        <source>The size of the draft model&apos;s weights is not known and counted as 0</source>
        <translation>草稿模型的权重大小未知，按 0 计算</translation>
    </message>
    <message>
        <source>The size of the weights is not known and counted as 0: give it by hand (weights.bytes), or open the model&apos;s folder, whose files say it</source>
        <translation>权重大小未知，按 0 计算：请手动给出（weights.bytes），或打开模型文件夹，其中的文件会给出大小</translation>
    </message>
    <message>
        <source>as given</source>
        <translation>按给定值</translation>
    </message>
    <message>
        <source>available_kv_bytes, %1, is more than the GPU&apos;s %2; it is counted with all the same</source>
        <translation>available_kv_bytes（%1）超过 GPU 的 %2；仍照此计算</translation>
    </message>
    <message>
        <source>engine.id: &quot;%1&quot; is not known</source>
        <translation>engine.id：“%1”未知</translation>
    </message>
    <message>
        <source>hardware.devices: expected a count of 1 or more for %1</source>
        <translation>hardware.devices：%1 的数量应不小于 1</translation>
    </message>
    <message>
        <source>hardware.devices: unlike cards in one machine are planned for llama-cpp only; %1 needs alike ones</source>
        <translation>hardware.devices：一台机器混用不同的卡只能按 llama-cpp 规划；%1 需要相同的卡</translation>
    </message>
    <message>
        <source>hardware.display_bytes: expected a size of 0 or more</source>
        <translation>hardware.display_bytes：应为不小于 0 的大小</translation>
    </message>
    <message>
        <source>hardware.memory_bytes: expected a size of 0 or more</source>
        <translation>hardware.memory_bytes：应为不小于 0 的大小</translation>
    </message>
    <message>
        <source>hardware.memory_bytes: is of one kind of card, but devices names several; leave one of them out</source>
        <translation>hardware.memory_bytes：只针对一种卡，而 devices 列出了多种；请去掉其中之一</translation>
    </message>
    <message>
        <source>hardware.reserve: expected a fraction from 0 to 1</source>
        <translation>hardware.reserve：应为 0 到 1 的比例</translation>
    </message>
    <message>
        <source>kv.dtype: %1 does not take %2 for the cache; it takes %3</source>
        <translation>kv.dtype：%1 的缓存不支持 %2；支持 %3</translation>
    </message>
    <message>
        <source>kv: %1 keeps K and V in one type; found %2 for K and %3 for V</source>
        <translation>kv：%1 要求 K 与 V 类型相同；实际 K 为 %2，V 为 %3</translation>
    </message>
    <message>
        <source>model: none is given; name a preset (kvplanner models lists them) or a config.json</source>
        <translation>model：没有给出模型；请指定预设（kvplanner models 列出全部）或 config.json</translation>
    </message>
    <message>
        <source>weights.bytes: expected a size of 0 or more</source>
        <translation>weights.bytes：应为不小于 0 的大小</translation>
    </message>
    <message>
        <source>%1: the result is out of range: it exceeds 2^63 − 1; look for a size or a count that is too large (%2)</source>
        <translation>%1：结果超出范围：大于 2^63 − 1；请查找过大的大小或数量（%2）</translation>
    </message>
    <message>
        <source>%1 grow</source>
        <translation>%1：随上下文增长</translation>
    </message>
    <message>
        <source>%1 grows</source>
        <translation>%1：随上下文增长</translation>
    </message>
    <message>
        <source>%1 keep a state</source>
        <translation>%1：保留状态</translation>
    </message>
    <message>
        <source>%1 keep part of the tokens</source>
        <translation>%1：保留部分 token</translation>
    </message>
    <message>
        <source>%1 keep the encoder&apos;s tokens</source>
        <translation>%1：保留编码器的 token</translation>
    </message>
    <message>
        <source>%1 keeps a state</source>
        <translation>%1：保留状态</translation>
    </message>
    <message>
        <source>%1 keeps part of the tokens</source>
        <translation>%1：保留部分 token</translation>
    </message>
    <message>
        <source>%1 keeps the encoder&apos;s tokens</source>
        <translation>%1：保留编码器的 token</translation>
    </message>
    <message>
        <source>%1, as chosen</source>
        <translation>%1，按所选</translation>
    </message>
    <message>
        <source>%1, the model&apos;s type</source>
        <translation>%1，模型的类型</translation>
    </message>
    <message>
        <source>16 bit unless chosen otherwise</source>
        <translation>未另选时为 16 bit</translation>
    </message>
    <message>
        <source>All sequences</source>
        <translation>全部序列</translation>
    </message>
    <message>
        <source>KV bytes of one token</source>
        <translation>每个 token 的 KV 字节数</translation>
    </message>
    <message>
        <source>Nothing is cached</source>
        <translation>没有缓存</translation>
    </message>
    <message>
        <source>a key and a value</source>
        <translation>一个键和一个值</translation>
    </message>
    <message>
        <source>an estimate</source>
        <translation>估算</translation>
    </message>
    <message>
        <source>an estimate, ± %1</source>
        <translation>估算，± %1</translation>
    </message>
    <message>
        <source>an option can give it by hand</source>
        <translation>可由选项手动给出</translation>
    </message>
    <message>
        <source>as %1 says</source>
        <translation>按 %1 的值</translation>
    </message>
    <message>
        <source>exact, by the engine&apos;s own setting</source>
        <translation>精确值，由引擎自己的设置决定</translation>
    </message>
    <message>
        <source>for every token, at every layer</source>
        <translation>每个 token、每一层</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>memory − withheld − weights − overhead</source>
        <translation>显存 − 引擎预留 − 权重 − 开销</translation>
    </message>
    <message>
        <source>no layer keeps keys, values or a state</source>
        <translation>没有层保留键、值或状态</translation>
    </message>
    <message>
        <source>of %1 set aside for KV</source>
        <translation>为 KV 预留 %1 中的部分</translation>
    </message>
    <message>
        <source>of each: memory − withheld − weights − overhead</source>
        <translation>每个 GPU：显存 − 引擎预留 − 权重 − 开销</translation>
    </message>
    <message>
        <source>this model keeps no KV cache: it does not generate token by token</source>
        <translation>该模型没有 KV 缓存：它不逐 token 生成</translation>
    </message>
    <message>
        <source>what a program gets of the card</source>
        <translation>程序能从该卡得到的显存</translation>
    </message>
    <message>
        <source>what the room given leaves</source>
        <translation>给定空间之后剩下的</translation>
    </message>
    <message>
        <source>while inside every window</source>
        <translation>在每个窗口填满之前</translation>
    </message>
    <message>
        <source>one deployment does not hold a single sequence; its levers (kvplanner plan --levers) show what would help</source>
        <translation>一个部署连一个序列也放不下；其优化手段（kvplanner plan --levers）说明什么会有帮助</translation>
    </message>
    <message>
        <source>one deployment serves any number of sequences as far as memory goes: nothing more is kept for another one</source>
        <translation>就内存而言，一个部署可服务任意多个序列：多一个序列不多占内存</translation>
    </message>
    <message>
        <source>target: deployments lost must be 0 or more</source>
        <translation>target：失效的部署数应不小于 0</translation>
    </message>
    <message>
        <source>target: give the users at the same time, or requests a second with the seconds that one takes</source>
        <translation>target：请给出同时在线的用户数，或每秒请求数与每个请求的秒数</translation>
    </message>
    <message>
        <source>target: requests a second times the seconds of one are no whole number of sequences that can be counted</source>
        <translation>target：每秒请求数乘以每个请求的秒数得不到可计算的整数个序列</translation>
    </message>
    <message>
        <source>target: the number of GPUs is out of range</source>
        <translation>target：GPU 数超出范围</translation>
    </message>
    <message>
        <source>target: users at the same time and a rate are two loads; give one of them</source>
        <translation>target：同时在线的用户数与请求速率是两种负载；请只给出其一</translation>
    </message>
    <message>
        <source>K bytes</source>
        <translation>K 字节</translation>
    </message>
    <message>
        <source>K size</source>
        <translation>K 大小</translation>
    </message>
    <message>
        <source>V bytes</source>
        <translation>V 字节</translation>
    </message>
    <message>
        <source>V size</source>
        <translation>V 大小</translation>
    </message>
    <message>
        <source>encoder tokens</source>
        <translation>编码器 token</translation>
    </message>
    <message>
        <source>head dim</source>
        <translation>头维度</translation>
    </message>
    <message>
        <source>hidden size</source>
        <translation>隐藏维度</translation>
    </message>
    <message>
        <source>index key</source>
        <translation>索引键</translation>
    </message>
    <message>
        <source>intermediate size</source>
        <translation>中间维度</translation>
    </message>
    <message>
        <source>its bytes</source>
        <translation>其字节</translation>
    </message>
    <message>
        <source>latent rank</source>
        <translation>潜向量秩</translation>
    </message>
    <message>
        <source>layers that share</source>
        <translation>共享的层</translation>
    </message>
    <message>
        <source>model limit</source>
        <translation>模型上限</translation>
    </message>
    <message>
        <source>query heads</source>
        <translation>查询头</translation>
    </message>
    <message>
        <source>rope size</source>
        <translation>RoPE 维度</translation>
    </message>
    <message>
        <source>shared prefix</source>
        <translation>共享前缀</translation>
    </message>
    <message>
        <source>%1 fit in 99 of 100 cases</source>
        <translation>100 次中有 99 次放得下 %1</translation>
    </message>
    <message>
        <source>%1 fits in 99 of 100 cases</source>
        <translation>100 次中有 99 次放得下 %1</translation>
    </message>
    <message>
        <source>%1 on the fullest replica</source>
        <translation>最满副本上的 %1</translation>
    </message>
    <message>
        <source>%1, lengths cut at the context</source>
        <translation>%1（长度在上下文处截断）</translation>
    </message>
    <message>
        <source>Added up exactly, by convolution</source>
        <translation>用卷积精确相加</translation>
    </message>
    <message>
        <source>Lengths beyond the context are cut at it</source>
        <translation>超过上下文的长度在上下文处截断</translation>
    </message>
    <message>
        <source>Not one sequence fits in 99 of 100 cases</source>
        <translation>要 100 次中有 99 次放得下，一个序列也不行</translation>
    </message>
    <message>
        <source>Not one slot fits</source>
        <translation>一个槽位也放不下</translation>
    </message>
    <message>
        <source>Planning with the mean of %1 says that not one fits</source>
        <translation>按平均 %1 规划，得出一个也放不下</translation>
    </message>
    <message>
        <source>So many sequences add up to a normal sum with its skewness</source>
        <translation>序列很多，总和按带偏度的正态分布计算</translation>
    </message>
    <message>
        <source>The lengths change nothing here: memory is set aside for the whole context of each slot</source>
        <translation>长度在此不起作用：每个槽位都按整个上下文预留内存</translation>
    </message>
    <message>
        <source>With these lengths %1 do not fit in %2 cases</source>
        <translation>按这些长度，%1%2放不下</translation>
    </message>
    <message>
        <source>With these lengths %1 does not fit in %2 cases</source>
        <translation>按这些长度，%1%2放不下</translation>
    </message>
    <message>
        <source>With these lengths %1 fit in every case</source>
        <translation>按这些长度，%1总是放得下</translation>
    </message>
    <message>
        <source>With these lengths %1 fit in every case that was drawn</source>
        <translation>按这些长度，%1在所有抽样中都放得下</translation>
    </message>
    <message>
        <source>With these lengths %1 fits in every case</source>
        <translation>按这些长度，%1总是放得下</translation>
    </message>
    <message>
        <source>With these lengths %1 fits in every case that was drawn</source>
        <translation>按这些长度，%1在所有抽样中都放得下</translation>
    </message>
    <message>
        <source>With these lengths %1 never fit</source>
        <translation>按这些长度，%1总是放不下</translation>
    </message>
    <message>
        <source>With these lengths %1 never fits</source>
        <translation>按这些长度，%1总是放不下</translation>
    </message>
    <message>
        <source>fewer than 1 of 1,000,000</source>
        <translation>每 1,000,000 次不到 1 次</translation>
    </message>
    <message>
        <source>in %1 cases</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>in no case</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>%1 a sequence here</source>
        <translation>此处每个序列 %1</translation>
    </message>
    <message>
        <source>a state of fixed size</source>
        <translation>固定大小的状态</translation>
    </message>
    <message>
        <source>experts, keeps nothing</source>
        <translation>专家，不保留缓存</translation>
    </message>
    <message>
        <source>feed-forward, keeps nothing</source>
        <translation>前馈，不保留缓存</translation>
    </message>
    <message>
        <source>no attention, keeps nothing</source>
        <translation>无注意力，不保留缓存</translation>
    </message>
    <message>
        <source>reads another layer&apos;s cache</source>
        <translation>读取另一层的缓存</translation>
    </message>
    <message>
        <source>%1 cache</source>
        <translation>%1 缓存</translation>
    </message>
    <message>
        <source>%1 weights</source>
        <translation>%1 权重</translation>
    </message>
    <message>
        <source>1 request in 100 is refused</source>
        <translation>100 个请求中拒绝 1 个</translation>
    </message>
    <message>
        <source>A cache that grows, not reserved</source>
        <translation>缓存按需增长，不预留</translation>
    </message>
    <message>
        <source>A reserve of 5 %</source>
        <translation>预留 5 %</translation>
    </message>
    <message>
        <source>A window pool of a fifth</source>
        <translation>窗口池占五分之一</translation>
    </message>
    <message>
        <source>Attention data parallelism</source>
        <translation>注意力数据并行</translation>
    </message>
    <message>
        <source>Cache on the host</source>
        <translation>缓存放在主机</translation>
    </message>
    <message>
        <source>Cells of its own for each slot</source>
        <translation>每个槽位用自己的单元</translation>
    </message>
    <message>
        <source>Experts on the host</source>
        <translation>专家放在主机</translation>
    </message>
    <message>
        <source>No CUDA graphs</source>
        <translation>不使用 CUDA graph</translation>
    </message>
    <message>
        <source>One pool of cells for all slots</source>
        <translation>所有槽位共用一个单元池</translation>
    </message>
    <message>
        <source>Prefix cache off</source>
        <translation>关闭前缀缓存</translation>
    </message>
    <message>
        <source>Prefix cache on</source>
        <translation>打开前缀缓存</translation>
    </message>
    <message>
        <source>Steps of 2,048 tokens</source>
        <translation>每步 2,048 个 token</translation>
    </message>
    <message>
        <source>Window manager on</source>
        <translation>打开窗口管理器</translation>
    </message>
    <message>
        <source>Windows kept at their own size</source>
        <translation>窗口按自身大小保留</translation>
    </message>
    <message>
        <source>a quality risk</source>
        <translation>有质量风险</translation>
    </message>
    <message>
        <source>a quality risk, and another checkpoint</source>
        <translation>有质量风险，且需另一个检查点</translation>
    </message>
    <message>
        <source>a quality risk: KV in less than 8 bit</source>
        <translation>有质量风险：KV 低于 8 bit</translation>
    </message>
    <message>
        <source>a small quality risk</source>
        <translation>质量风险较小</translation>
    </message>
    <message>
        <source>a small quality risk, and another checkpoint</source>
        <translation>质量风险较小，且需另一个检查点</translation>
    </message>
    <message>
        <source>another server</source>
        <translation>换一种服务</translation>
    </message>
    <message>
        <source>another server, with pages taken as sequences grow</source>
        <translation>换一种服务，页随序列增长分配</translation>
    </message>
    <message>
        <source>far slower</source>
        <translation>慢得多</translation>
    </message>
    <message>
        <source>far slower attention</source>
        <translation>注意力慢得多</translation>
    </message>
    <message>
        <source>fewer tokens of window layers at a time</source>
        <translation>窗口层同时容纳的 token 更少</translation>
    </message>
    <message>
        <source>if requests really begin alike</source>
        <translation>前提是请求的开头确实相同</translation>
    </message>
    <message>
        <source>less room for what is not counted</source>
        <translation>留给未计入部分的空间更少</translation>
    </message>
    <message>
        <source>longer requests are refused</source>
        <translation>更长的请求被拒绝</translation>
    </message>
    <message>
        <source>more exchange between GPUs</source>
        <translation>GPU 之间的交换更多</translation>
    </message>
    <message>
        <source>no context shift back over the window</source>
        <translation>上下文无法移回窗口之外</translation>
    </message>
    <message>
        <source>other cards</source>
        <translation>换卡</translation>
    </message>
    <message>
        <source>shared beginnings are computed anew</source>
        <translation>相同的开头要重新计算</translation>
    </message>
    <message>
        <source>slots share the cells</source>
        <translation>槽位共用单元</translation>
    </message>
    <message>
        <source>slower decoding</source>
        <translation>解码变慢</translation>
    </message>
    <message>
        <source>slower prefill</source>
        <translation>预填充变慢</translation>
    </message>
    <message>
        <source>stages add latency</source>
        <translation>流水线级会增加延迟</translation>
    </message>
    <message>
        <source>the next one %1</source>
        <translation>下一个序列%1</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无上限</translation>
    </message>
    <message>
        <source>A GiB is 7.4 % more than a GB</source>
        <translation>GiB 比 GB 多 7.4 %</translation>
    </message>
    <message>
        <source>A layer with a window forgets what has left it</source>
        <translation>带窗口的层会忘掉移出窗口的内容</translation>
    </message>
    <message>
        <source>All heads read one latent, which alone is kept</source>
        <translation>所有头读取同一个潜向量，只保留它</translation>
    </message>
    <message>
        <source>Every token keeps a key and a value</source>
        <translation>每个 token 保留一个键和一个值</translation>
    </message>
    <message>
        <source>GiB read as GB</source>
        <translation>把 GiB 当作 GB</translation>
    </message>
    <message>
        <source>Most layers of this model keep a state of fixed size; only its attention layers keep something for every token</source>
        <translation>该模型的大多数层保留固定大小的状态；只有注意力层为每个 token 保留内容</translation>
    </message>
    <message>
        <source>Several query heads read one key and value; only the KV heads are kept</source>
        <translation>多个查询头读取同一个键和值；只保留 KV 头</translation>
    </message>
    <message>
        <source>This model states its head dim; it is not the hidden size over the heads</source>
        <translation>该模型给出了自己的头维度；它不等于隐藏维度除以头数</translation>
    </message>
    <message>
        <source>keys alone, the factor two forgotten</source>
        <translation>只算键，漏了因子二</translation>
    </message>
    <message>
        <source>the latent taken for keys and values of every head</source>
        <translation>把潜向量当作每个头的键和值</translation>
    </message>
    <message>
        <source>windows ignored, every layer kept whole</source>
        <translation>忽略窗口，每层全部保留</translation>
    </message>
    <message>
        <source>%1 left at its default</source>
        <translation>%1 用默认值</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1，用 %2</translation>
    </message>
    <message>
        <source>%1, KV type its own</source>
        <translation>%1，KV 类型由引擎选择</translation>
    </message>
    <message>
        <source>K in %1, V in %2</source>
        <translation>K 用 %1，V 用 %2</translation>
    </message>
    <message>
        <source>KV cache in %1</source>
        <translation>KV 缓存用 %1</translation>
    </message>
    <message>
        <source>count like %1</source>
        <translation>按 %1 计算</translation>
    </message>
    <message>
        <source>weights as they are stored</source>
        <translation>权重按保存的类型</translation>
    </message>
    <message>
        <source>weights in %1</source>
        <translation>权重用 %1</translation>
    </message>
    <message>
        <source>without %1</source>
        <translation>不使用 %1</translation>
    </message>
    <message>
        <source>%1 fit with up to %2 each on %3</source>
        <translation>%1在 %3 上放得下，每个最多 %2</translation>
    </message>
    <message>
        <source>%1 fit with up to %2 each on %3: the longest that the model or the server takes</source>
        <translation>%1在 %3 上放得下，每个最多 %2：这是模型或服务允许的最长值</translation>
    </message>
    <message>
        <source>%1 fits with up to %2 each on %3</source>
        <translation>%1在 %3 上放得下，最多 %2</translation>
    </message>
    <message>
        <source>%1 fits with up to %2 each on %3: the longest that the model or the server takes</source>
        <translation>%1在 %3 上放得下，最多 %2：这是模型或服务允许的最长值</translation>
    </message>
    <message>
        <source>%1 need %2 of at least %3 on %4</source>
        <translation>在 %4 上，%1需要 %2 至少为 %3</translation>
    </message>
    <message>
        <source>%1 need a share of %2 of the memory, so a reserve of at most %3 on %4</source>
        <translation>在 %4 上，%1需要 %2 的显存，因此预留最多 %3</translation>
    </message>
    <message>
        <source>%1 needs %2 of at least %3 on %4</source>
        <translation>在 %4 上，%1需要 %2 至少为 %3</translation>
    </message>
    <message>
        <source>%1 needs a share of %2 of the memory, so a reserve of at most %3 on %4</source>
        <translation>在 %4 上，%1需要 %2 的显存，因此预留最多 %3</translation>
    </message>
    <message>
        <source>At most %1 of %2 fit on %3</source>
        <translation>在 %3 上最多放得下 %1（每个 %2）</translation>
    </message>
    <message>
        <source>At most %1 of %2 fits on %3</source>
        <translation>在 %3 上最多放得下 %1（每个 %2）</translation>
    </message>
    <message>
        <source>At no length do %1 fit on %2</source>
        <translation>%1在 %2 上无论多短都放不下</translation>
    </message>
    <message>
        <source>Memory sets no limit to the context: what is kept does not grow with it, and the model names no limit of its own</source>
        <translation>内存对上下文没有限制：缓存不随上下文增长，模型也没有给出上限</translation>
    </message>
    <message>
        <source>Memory sets no limit to the sequences: nothing more is kept for another one</source>
        <translation>内存对序列数没有限制：多一个序列不多占内存</translation>
    </message>
    <message>
        <source>No number of these GPUs that the engine splits the model over holds %1</source>
        <translation>引擎可拆分的 GPU 数中，没有一个放得下 %1</translation>
    </message>
    <message>
        <source>No value of %1 below 1 is enough for %2 on %3</source>
        <translation>%1 小于 1 的任何值都不足以在 %3 上放下 %2</translation>
    </message>
    <message>
        <source>Not known: available_kv_bytes says the budget on these GPUs, not on another number of them</source>
        <translation>未知：available_kv_bytes 给出的是这些 GPU 上的预算，不适用于其他数量</translation>
    </message>
    <message>
        <source>Not one sequence of %1 fits on %2</source>
        <translation>一个 %1 的序列在 %2 上也放不下</translation>
    </message>
    <message>
        <source>engine.options.available_kv_bytes: the budget is given, whatever the share</source>
        <translation>engine.options.available_kv_bytes：预算已给定，与份额无关</translation>
    </message>
    <message>
        <source>engine: %1 has no share of the memory to set</source>
        <translation>engine：%1 没有可设的显存份额</translation>
    </message>
    <message>
        <source>hardware.devices: how many more unlike cards, and of which, is no single number; take alike ones</source>
        <translation>hardware.devices：还需多少、哪种不同的卡，不是一个数字能回答的；请用相同的卡</translation>
    </message>
    <message>
        <source>the memory that is planned with</source>
        <translation>规划使用的显存</translation>
    </message>
    <message>
        <source>%1 of %2 do not fit</source>
        <translation>%1（每个 %2）放不下</translation>
    </message>
    <message>
        <source>%1 of %2 does not fit</source>
        <translation>%1（%2）放不下</translation>
    </message>
    <message>
        <source>%1 of %2 fit on %3</source>
        <translation>%1（每个 %2）在 %3 上放得下</translation>
    </message>
    <message>
        <source>%1 of %2 fits on %3</source>
        <translation>%1（%2）在 %3 上放得下</translation>
    </message>
    <message>
        <source>%1 stays free</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>Another sequence needs nothing more</source>
        <translation>再加一个序列不多占内存</translation>
    </message>
    <message>
        <source>It takes %1 of this kind</source>
        <translation>需要 %1 这样的卡</translation>
    </message>
    <message>
        <source>Nothing is cached, so memory sets no limit to the sequences</source>
        <translation>没有缓存，因此内存对序列数没有限制</translation>
    </message>
    <message>
        <source>Short by %1 over %2</source>
        <translation>%2合计缺 %1</translation>
    </message>
    <message>
        <source>The KV cache is an assumption: the architecture &quot;%1&quot; is not known</source>
        <translation>KV 缓存是假设值：未知的架构“%1”</translation>
    </message>
    <message>
        <source>The KV cache is an assumption: the file names no model type</source>
        <translation>KV 缓存是假设值：文件没有给出模型类型</translation>
    </message>
    <message>
        <source>The weights alone do not fit on %1</source>
        <translation>仅权重在 %1 上就放不下</translation>
    </message>
    <message>
        <source>The weights are not counted: their size is not known</source>
        <translation>未计入权重：其大小未知</translation>
    </message>
    <message>
        <source>This cannot be planned</source>
        <translation>无法规划</translation>
    </message>
    <message>
        <source>not one does</source>
        <translation>一个也放不下</translation>
    </message>
    <message>
        <source>%1 an hour</source>
        <translation>每小时 %1</translation>
    </message>
    <message>
        <source>%1 requests a second</source>
        <translation>每秒 %1 个请求</translation>
    </message>
    <message>
        <source>Headroom, all up</source>
        <translation>余量（全部正常）</translation>
    </message>
    <message>
        <source>Most sequences</source>
        <translation>最多序列数</translation>
    </message>
    <message>
        <source>One deployment holds</source>
        <translation>一个部署可容纳</translation>
    </message>
    <message>
        <source>One sequence on the fullest GPU</source>
        <translation>最满 GPU 上的一个序列</translation>
    </message>
    <message>
        <source>Sequences in flight</source>
        <translation>进行中的序列</translation>
    </message>
    <message>
        <source>as stored</source>
        <translation>按保存的类型</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>not taken</source>
        <translation>不支持</translation>
    </message>
    <message>
        <source>the cheapest that fits</source>
        <translation>放得下的最省方案</translation>
    </message>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1（基准）</translation>
    </message>
    <message>
        <source>Counted like</source>
        <translation>计算方式</translation>
    </message>
    <message>
        <source>KV in all</source>
        <translation>KV 合计</translation>
    </message>
    <message>
        <source>KV of a sequence</source>
        <translation>每个序列的 KV</translation>
    </message>
    <message>
        <source>KV of a token</source>
        <translation>每个 token 的 KV</translation>
    </message>
    <message>
        <source>Left free</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>Longest context</source>
        <translation>最长上下文</translation>
    </message>
    <message>
        <source>Room for KV</source>
        <translation>KV 可用空间</translation>
    </message>
    <message>
        <source>Shared prefix</source>
        <translation>共享前缀</translation>
    </message>
    <message>
        <source>The scenarios do not differ</source>
        <translation>各方案没有差异</translation>
    </message>
    <message>
        <source>Weights as</source>
        <translation>权重类型</translation>
    </message>
    <message>
        <source>Weights, one copy</source>
        <translation>权重（一份）</translation>
    </message>
    <message>
        <source>KV cache %1</source>
        <translation>KV 缓存 %1</translation>
    </message>
    <message>
        <source>weights of unknown type</source>
        <translation>权重类型未知</translation>
    </message>
    <message>
        <source>Blocks of the GPU</source>
        <translation>GPU 的块数</translation>
    </message>
    <message>
        <source>Data parallel</source>
        <translation>数据并行</translation>
    </message>
    <message>
        <source>Decode context parallel</source>
        <translation>解码上下文并行</translation>
    </message>
    <message>
        <source>Left for KV, tightest GPU</source>
        <translation>留给 KV（最紧的 GPU）</translation>
    </message>
    <message>
        <source>Longest request</source>
        <translation>最长请求</translation>
    </message>
    <message>
        <source>Most requests at a time</source>
        <translation>同时请求数上限</translation>
    </message>
    <message>
        <source>Outside the framework</source>
        <translation>框架之外</translation>
    </message>
    <message>
        <source>Pipeline parallel</source>
        <translation>流水线并行</translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>Tokens of a block</source>
        <translation>每块 token 数</translation>
    </message>
    <message>
        <source>Tokens of a page</source>
        <translation>每页 token 数</translation>
    </message>
    <message>
        <source>Tokens of a step</source>
        <translation>每步 token 数</translation>
    </message>
    <message>
        <source>Type of the cache</source>
        <translation>缓存类型</translation>
    </message>
    <message>
        <source>Type of the keys</source>
        <translation>键的类型</translation>
    </message>
    <message>
        <source>Type of the values</source>
        <translation>值的类型</translation>
    </message>
    <message>
        <source>288 GB are on the package; also sold as 268 or 270</source>
        <translation>封装上有 288 GB；也以 268 或 270 出售</translation>
    </message>
    <message>
        <source>64 GiB a die, two dies a module that appear as two devices: plan each as a GPU of its own</source>
        <translation>每个芯片 64 GiB，每个模块两个芯片，显示为两个设备：每个按一个 GPU 规划</translation>
    </message>
    <message>
        <source>64 to 144 chips a node</source>
        <translation>每个节点 64 到 144 个芯片</translation>
    </message>
    <message>
        <source>80 is a GiB label: the driver shows 79.65 GiB, 85.52 GB</source>
        <translation>80 是 GiB 标称：驱动显示 79.65 GiB，即 85.52 GB</translation>
    </message>
    <message>
        <source>80 is a GiB label: the driver shows 79.65 GiB, 85.52 GB; the framework 79.19 GiB</source>
        <translation>80 是 GiB 标称：驱动显示 79.65 GiB，即 85.52 GB；框架为 79.19 GiB</translation>
    </message>
    <message>
        <source>A later build prints the same bytes as 154618.82 MB</source>
        <translation>较新的构建把同样的字节数打印为 154618.82 MB</translation>
    </message>
    <message>
        <source>A log says 239 GB for the GPU, in an unclear unit</source>
        <translation>某日志称该 GPU 有 239 GB，单位不明</translation>
    </message>
    <message>
        <source>A newer driver shows 32768 MiB</source>
        <translation>较新的驱动显示 32768 MiB</translation>
    </message>
    <message>
        <source>A node has 4 modules</source>
        <translation>每个节点 4 个模块</translation>
    </message>
    <message>
        <source>A package has two dies, listed as two devices of 65536 MiB, 8 packages a node; 3.2 to 3.4 GB are in use on an idle die</source>
        <translation>每个封装两个芯片，列为两个 65536 MiB 的设备，每个节点 8 个封装；空闲芯片已占用 3.2 到 3.4 GB</translation>
    </message>
    <message>
        <source>A partition (CPX, NPS4) holds an eighth</source>
        <translation>一个分区（CPX、NPS4）占八分之一</translation>
    </message>
    <message>
        <source>A slice&apos;s memory as the driver shows it, not the card&apos;s over the slices</source>
        <translation>驱动显示的切片显存，不是整卡除以切片数</translation>
    </message>
    <message>
        <source>About 107.5 GiB on a recent system and 96 GiB on an older one are to be expected for the GPU</source>
        <translation>较新的系统上 GPU 约可得 107.5 GiB，较旧的约 96 GiB</translation>
    </message>
    <message>
        <source>About 278 GiB can be used; the desk-side station of the same name has 252 GB. 4 GPUs a tray, 72 a rack</source>
        <translation>约 278 GiB 可用；同名的桌面工作站有 252 GB。每托盘 4 个 GPU，每机架 72 个</translation>
    </message>
    <message>
        <source>About 3.3 GB of it are in use on an idle card</source>
        <translation>空闲卡上已占用约 3.3 GB</translation>
    </message>
    <message>
        <source>Also built as a board of two</source>
        <translation>也有两颗装在一块板上的型号</translation>
    </message>
    <message>
        <source>Also described with 800 GiB/s (859 GB/s)</source>
        <translation>也有资料写 800 GiB/s（859 GB/s）</translation>
    </message>
    <message>
        <source>Also listed as 192 GB</source>
        <translation>也有列为 192 GB 的</translation>
    </message>
    <message>
        <source>Also quoted as 192 GB. 4 GPUs a tray, 72 a rack</source>
        <translation>也有写 192 GB 的。每托盘 4 个 GPU，每机架 72 个</translation>
    </message>
    <message>
        <source>An older driver shows 16160 MiB</source>
        <translation>较旧的驱动显示 16160 MiB</translation>
    </message>
    <message>
        <source>An older driver shows 22912 MiB with ECC on; 24451 MiB with ECC off</source>
        <translation>较旧的驱动在 ECC 打开时显示 22912 MiB；ECC 关闭时 24451 MiB</translation>
    </message>
    <message>
        <source>Another table has 800 GB/s</source>
        <translation>另一张表写 800 GB/s</translation>
    </message>
    <message>
        <source>Another table lists 128 GB</source>
        <translation>另一张表列为 128 GB</translation>
    </message>
    <message>
        <source>Another table lists 288 GB, which is wrong</source>
        <translation>另一张表列为 288 GB，有误</translation>
    </message>
    <message>
        <source>As four MIG slices (1g.6gb) each has 5836 MiB</source>
        <translation>分为四个 MIG 切片（1g.6gb）时每个 5836 MiB</translation>
    </message>
    <message>
        <source>Bandwidth is the share of its memory slices</source>
        <translation>带宽按其显存切片的份额</translation>
    </message>
    <message>
        <source>Cards modified to 22 GB show 21.48 GiB to the framework</source>
        <translation>改装为 22 GB 的卡，框架显示 21.48 GiB</translation>
    </message>
    <message>
        <source>ECC takes one sixteenth</source>
        <translation>ECC 占用十六分之一</translation>
    </message>
    <message>
        <source>FP16 runs at 184.6 TFLOPS</source>
        <translation>FP16 为 184.6 TFLOPS</translation>
    </message>
    <message>
        <source>Four GPUs of 16 GB share the board that is sold as 64 GB; each is planned alone</source>
        <translation>四个 16 GB 的 GPU 共用以 64 GB 出售的板；每个单独规划</translation>
    </message>
    <message>
        <source>Hardly deployed: no figure of the driver was found</source>
        <translation>很少部署：没有找到驱动的数字</translation>
    </message>
    <message>
        <source>Inline ECC takes 1 GiB of the 16</source>
        <translation>inline ECC 占用 16 GiB 中的 1 GiB</translation>
    </message>
    <message>
        <source>MIG slices: 1g.18gb has 17.50 GiB, 1g.36gb 35.25 GiB</source>
        <translation>MIG 切片：1g.18gb 有 17.50 GiB，1g.36gb 有 35.25 GiB</translation>
    </message>
    <message>
        <source>No BF16 tensor cores: the rate is FP16</source>
        <translation>没有 BF16 张量核心：算力为 FP16</translation>
    </message>
    <message>
        <source>No BF16: the rate is FP16</source>
        <translation>没有 BF16：算力为 FP16</translation>
    </message>
    <message>
        <source>No FP8 units: the FP8 rate is that of BF16</source>
        <translation>没有 FP8 单元：FP8 算力等同 BF16</translation>
    </message>
    <message>
        <source>No figure of the driver was found</source>
        <translation>没有找到驱动的数字</translation>
    </message>
    <message>
        <source>No figure of the driver was found; the compiler reserves a slice</source>
        <translation>没有找到驱动的数字；编译器会预留一部分</translation>
    </message>
    <message>
        <source>No figure of the driver was found; with ECC on about 46064 MiB are to be expected</source>
        <translation>没有找到驱动的数字；ECC 打开时约为 46064 MiB</translation>
    </message>
    <message>
        <source>No whole-card figure of the driver was found</source>
        <translation>没有找到驱动对整卡的数字</translation>
    </message>
    <message>
        <source>Older drivers show 11019 MiB</source>
        <translation>较旧的驱动显示 11019 MiB</translation>
    </message>
    <message>
        <source>Older drivers show 22731 MiB</source>
        <translation>较旧的驱动显示 22731 MiB</translation>
    </message>
    <message>
        <source>On some nodes only about 256 GiB are free at the start, so that a reserve of a tenth may not be enough</source>
        <translation>有些节点启动时只有约 256 GiB 空闲，因此预留十分之一可能不够</translation>
    </message>
    <message>
        <source>One table gives 1400 W and 2026</source>
        <translation>有一张表写 1400 W、2026 年</translation>
    </message>
    <message>
        <source>Sold in China</source>
        <translation>在中国销售</translation>
    </message>
    <message>
        <source>Sold in GB, GiB in practice</source>
        <translation>以 GB 标称，实际为 GiB</translation>
    </message>
    <message>
        <source>Sold in GiB, so nearly all of it can be used</source>
        <translation>以 GiB 标称，因此几乎全部可用</translation>
    </message>
    <message>
        <source>Some boards have a power cap of 350 W</source>
        <translation>有些板的功耗上限为 350 W</translation>
    </message>
    <message>
        <source>Some tables say 28 GB, which is wrong</source>
        <translation>有些表写 28 GB，有误</translation>
    </message>
    <message>
        <source>Taking 141 as GiB gives 613 MiB more than the card has</source>
        <translation>把 141 当作 GiB 会比该卡实际多出 613 MiB</translation>
    </message>
    <message>
        <source>The 480 or 120 in the device name is the CPU side memory, not HBM</source>
        <translation>设备名中的 480 或 120 是 CPU 侧内存，不是 HBM</translation>
    </message>
    <message>
        <source>The Max-Q edition draws 300 W</source>
        <translation>Max-Q 版功耗为 300 W</translation>
    </message>
    <message>
        <source>The driver shows a cap of 500 W; another table has 400 W</source>
        <translation>驱动显示上限 500 W；另一张表为 400 W</translation>
    </message>
    <message>
        <source>The framework figure was read with ECC off</source>
        <translation>框架的数字在 ECC 关闭时读取</translation>
    </message>
    <message>
        <source>The log names no device; only this machine is large enough</source>
        <translation>日志没有写设备名；只有这种机器足够大</translation>
    </message>
    <message>
        <source>The memory bus is 7680 bit wide, hence about 7.7 TB/s and not 8</source>
        <translation>显存总线宽 7680 bit，因此约为 7.7 TB/s，而不是 8</translation>
    </message>
    <message>
        <source>The rate is FP16</source>
        <translation>算力为 FP16</translation>
    </message>
    <message>
        <source>The same card is also printed as 25.3 GB, in decimal</source>
        <translation>同一张卡也以十进制写作 25.3 GB</translation>
    </message>
    <message>
        <source>Two stacks of 64 GiB that appear as two devices</source>
        <translation>两组 64 GiB 的显存堆叠，显示为两个设备</translation>
    </message>
    <message>
        <source>Two thirds to three quarters of it are to be expected for the GPU</source>
        <translation>GPU 约可得其中三分之二到四分之三</translation>
    </message>
    <message>
        <source>Unified memory</source>
        <translation>统一内存</translation>
    </message>
    <message>
        <source>Unified memory: the CPU and other processes draw on the same pool. nvidia-smi shows no memory figure</source>
        <translation>统一内存：CPU 和其他进程也用同一个池。nvidia-smi 不显示显存数字</translation>
    </message>
    <message>
        <source>Unified memory: the system and its page cache share the pool, so 111 to 113 GiB are free at the start</source>
        <translation>统一内存：系统及其页缓存共用该池，因此启动时有 111 到 113 GiB 空闲</translation>
    </message>
    <message>
        <source>Unified memory; 84 % of it for the GPU</source>
        <translation>统一内存；其中 84 % 可给 GPU</translation>
    </message>
    <message>
        <source>Unified memory; 90.6 % of it for the GPU</source>
        <translation>统一内存；其中 90.6 % 可给 GPU</translation>
    </message>
    <message>
        <source>Unified memory; newer systems give the GPU 78 %</source>
        <translation>统一内存；较新的系统给 GPU 78 %</translation>
    </message>
    <message>
        <source>Unified memory; the limit is a setting: 65536 MiB as delivered, 98304 MiB with a 96 GB carve-out</source>
        <translation>统一内存；上限可设：出厂为 65536 MiB，划出 96 GB 时为 98304 MiB</translation>
    </message>
    <message>
        <source>Unified memory; three quarters of it for the GPU</source>
        <translation>统一内存；其中四分之三可给 GPU</translation>
    </message>
    <message>
        <source>Unified memory; two thirds of it for the GPU</source>
        <translation>统一内存；其中三分之二可给 GPU</translation>
    </message>
    <message>
        <source>With ECC on the driver shows 46068 MiB: one sixteenth less</source>
        <translation>ECC 打开时驱动显示 46068 MiB：少十六分之一</translation>
    </message>
    <message>
        <source>With iogpu.wired_limit_mb=114688 it is 112.00 GiB</source>
        <translation>设置 iogpu.wired_limit_mb=114688 时为 112.00 GiB</translation>
    </message>
    <message>
        <source>A chat of 8,192 tokens with Llama 3.1 8B is open. How much memory does its cache hold?</source>
        <translation>打开了一个 8,192 个 token 的对话，模型是 Llama 3.1 8B。它的缓存占多少内存？</translation>
    </message>
    <message>
        <source>Each of the 32 layers keeps a key and a value of 8 heads with 128 numbers for every token, 131 kB in all. 8,192 tokens of that are a little over a gigabyte, for one user</source>
        <translation>32 层中每层为每个 token 保留 8 个头的键和值，每个 128 个数，合计 131 kB。8,192 个 token 就是 1 GB 多一点，而这只是一个用户</translation>
    </message>
    <message>
        <source>From one token to one chat</source>
        <translation>从一个 token 到一个对话</translation>
    </message>
    <message>
        <source>one token of it</source>
        <translation>其中一个 token</translation>
    </message>
    <message>
        <source>the whole chat</source>
        <translation>整个对话</translation>
    </message>
    <message>
        <source>80 layers, 8 KV heads, head dim 128, 2 bytes a number. What does one token cost?</source>
        <translation>80 层，8 个 KV 头，头维度 128，每个数 2 字节。一个 token 要多少？</translation>
    </message>
    <message>
        <source>Attention reads a key to find a token and a value to take something from it, so both are kept. Leaving one out halves the plan, and the server runs out of memory with half of the users</source>
        <translation>注意力用键找到 token，再从值中取内容，因此两者都要保留。漏掉一个，规划就少了一半，服务只到一半用户就耗尽内存</translation>
    </message>
    <message>
        <source>Read the first line of the formula under Explain: the 2 stands in front</source>
        <translation>看“推导”中公式的第一行：最前面就是那个 2</translation>
    </message>
    <message>
        <source>The forgotten factor two</source>
        <translation>被忘掉的因子 2</translation>
    </message>
    <message>
        <source>keys alone: the mistake</source>
        <translation>只算键：错误</translation>
    </message>
    <message>
        <source>keys and values: right</source>
        <translation>键和值：正确</translation>
    </message>
    <message>
        <source>Choose a model without shared heads, such as Llama 2 7B, and compare what a token costs</source>
        <translation>选一个不共享头的模型，例如 Llama 2 7B，比较一个 token 的开销</translation>
    </message>
    <message>
        <source>Eight query heads share each key and value: only the 8 are stored. The mistaken plan would call ten users of 128k unservable; in truth they fit</source>
        <translation>每 8 个查询头共用一个键和值：只保存 8 个。错误的规划会说十个 128k 的用户服务不了；其实放得下</translation>
    </message>
    <message>
        <source>The eight-fold mistake</source>
        <translation>八倍的错误</translation>
    </message>
    <message>
        <source>with 64 query heads: the mistake</source>
        <translation>用 64 个查询头：错误</translation>
    </message>
    <message>
        <source>with 8 KV heads: right</source>
        <translation>用 8 个 KV 头：正确</translation>
    </message>
    <message>
        <source>400 GiB, in bytes: right</source>
        <translation>400 GiB 的字节数：正确</translation>
    </message>
    <message>
        <source>A GiB is 2³⁰ bytes, 7.4 % more than a GB of 10⁹. Vendors print GB on the box, drivers and engines print GiB, often under the name GB</source>
        <translation>1 GiB 是 2³⁰ 字节，比 10⁹ 字节的 1 GB 多 7.4 %。厂商在包装上写 GB，驱动和引擎打印 GiB，却常常写成 GB</translation>
    </message>
    <message>
        <source>GB and GiB</source>
        <translation>GB 与 GiB</translation>
    </message>
    <message>
        <source>GiB read as GB: the mistake</source>
        <translation>把 GiB 当作 GB：错误</translation>
    </message>
    <message>
        <source>Switch the units above from GB to GiB: nothing changes but the names of the figures</source>
        <translation>把上方的单位从 GB 切换到 GiB：变的只是数字的写法</translation>
    </message>
    <message>
        <source>The cache takes 400 GiB. How many bytes is that?</source>
        <translation>缓存占 400 GiB。这是多少字节？</translation>
    </message>
    <message>
        <source>16 GPUs</source>
        <translation>16 个 GPU</translation>
    </message>
    <message>
        <source>8 GPUs</source>
        <translation>8 个 GPU</translation>
    </message>
    <message>
        <source>8 GPUs, FP8 cache</source>
        <translation>8 个 GPU，FP8 缓存</translation>
    </message>
    <message>
        <source>Set GPUs to 2: what is left when the weights are in?</source>
        <translation>把 GPU 数设为 2：放下权重之后还剩多少？</translation>
    </message>
    <message>
        <source>Ten users of 131,072 tokens fit on 8 H100. How many fit with 16?</source>
        <translation>8 个 H100 放得下十个 131,072 个 token 的用户。16 个放得下多少？</translation>
    </message>
    <message>
        <source>The weights are paid once, so every further card holds users alone: twice the cards are more than twice the users. An FP8 cache nearly gets there without buying one</source>
        <translation>权重只付一次，因此每多一张卡都只用来放用户：卡数翻倍，用户数增加不止一倍。FP8 缓存不买一张卡就几乎能做到</translation>
    </message>
    <message>
        <source>Where the weights end and the users begin</source>
        <translation>权重到哪里为止，用户从哪里开始</translation>
    </message>
    <message>
        <source>BF16 cache</source>
        <translation>BF16 缓存</translation>
    </message>
    <message>
        <source>FP8 cache</source>
        <translation>FP8 缓存</translation>
    </message>
    <message>
        <source>Half the bytes for each number are half the bytes for each token, so twice the users. The weights stay as they are, and the quality has to be tried with your own prompts</source>
        <translation>每个数的字节减半，每个 token 的字节也减半，因此用户数翻倍。权重不变，质量需用自己的提示词验证</translation>
    </message>
    <message>
        <source>Press FP8 and then INT4 and watch the curves under Growth</source>
        <translation>依次按 FP8 和 INT4，观察“增长”中的曲线</translation>
    </message>
    <message>
        <source>The same eight cards, the cache in FP8. How many users of 131,072 tokens?</source>
        <translation>同样八张卡，缓存改用 FP8。能放多少个 131,072 个 token 的用户？</translation>
    </message>
    <message>
        <source>What an FP8 cache does</source>
        <translation>FP8 缓存有什么用</translation>
    </message>
    <message>
        <source>All heads read one compressed latent of 512 numbers and a rope part of 64, and only these are kept. The usual formula is more than fifty times too high</source>
        <translation>所有头读取同一个压缩的潜向量（512 个数）和 64 个数的 RoPE 部分，只保留这些。通常的公式高出五十多倍</translation>
    </message>
    <message>
        <source>Count like vLLM with TP 8 and look at the badges: each rank keeps the whole latent once more</source>
        <translation>按 vLLM 以 TP 8 计算，看图上的标记：每个 rank 都再存一份完整的潜向量</translation>
    </message>
    <message>
        <source>DeepSeek-V3 has 61 layers and 128 heads. What does one token cost?</source>
        <translation>DeepSeek-V3 有 61 层、128 个头。一个 token 要多少？</translation>
    </message>
    <message>
        <source>MLA under the GQA formula</source>
        <translation>用 GQA 公式算 MLA</translation>
    </message>
    <message>
        <source>keys and values of 128 heads: the mistake</source>
        <translation>128 个头的键和值：错误</translation>
    </message>
    <message>
        <source>one latent of 512 + 64: right</source>
        <translation>一个潜向量 512 + 64：正确</translation>
    </message>
    <message>
        <source>A window keeps its last 1,024 tokens, however long the sequence grows; ten layers keep everything. Charging all layers in full is the most common error of planning tools today</source>
        <translation>窗口只保留最后 1,024 个 token，序列再长也一样；十层保留全部。把所有层都按全长计算，是当今规划工具最常见的错误</translation>
    </message>
    <message>
        <source>Gemma 3 27B at 131,072 tokens: 52 of its 62 layers look back 1,024 tokens. What does one sequence keep?</source>
        <translation>Gemma 3 27B，131,072 个 token：62 层中有 52 层只看前面 1,024 个 token。一个序列保留多少？</translation>
    </message>
    <message>
        <source>Look at the kink in the growth curve: there the windows are full</source>
        <translation>看增长曲线的拐点：窗口在那里填满</translation>
    </message>
    <message>
        <source>Windows forget</source>
        <translation>窗口会遗忘</translation>
    </message>
    <message>
        <source>every layer kept whole: the mistake</source>
        <translation>每层全部保留：错误</translation>
    </message>
    <message>
        <source>windows forget: right</source>
        <translation>窗口会遗忘：正确</translation>
    </message>
    <message>
        <source>12 attention layers: right</source>
        <translation>12 个注意力层：正确</translation>
    </message>
    <message>
        <source>48 attention layers: the mistake</source>
        <translation>48 个注意力层：错误</translation>
    </message>
    <message>
        <source>A recurrent layer folds each token into a state that never grows. Only the attention layers, one in four, add something for every token</source>
        <translation>循环层把每个 token 折叠进一个从不增长的状态。只有注意力层（四层中的一层）为每个 token 增加内容</translation>
    </message>
    <message>
        <source>Drag the context to its smallest: the states are what a sequence costs before its first token</source>
        <translation>把上下文拖到最小：状态就是序列在第一个 token 之前的开销</translation>
    </message>
    <message>
        <source>Layers that keep a state</source>
        <translation>保留状态的层</translation>
    </message>
    <message>
        <source>Qwen3-Next has 48 layers, and three of four keep a state of fixed size. What does one token add?</source>
        <translation>Qwen3-Next 有 48 层，四层中有三层保留固定大小的状态。一个 token 增加多少？</translation>
    </message>
    <message>
        <source>A head cannot be cut, so from TP 4 on each is kept by two GPUs. The further cards hold less weight each, and not one byte less of the cache</source>
        <translation>头不能切开，因此从 TP 4 往上，每个头由两个 GPU 各存一份。多出的卡各自少放权重，缓存却一字节也不少</translation>
    </message>
    <message>
        <source>Set TP 4 and DP 2 on the same eight cards and compare the users</source>
        <translation>在同样的八张卡上设 TP 4、DP 2，比较用户数</translation>
    </message>
    <message>
        <source>TP 4</source>
        <translation>TP 4</translation>
    </message>
    <message>
        <source>TP 8</source>
        <translation>TP 8</translation>
    </message>
    <message>
        <source>Tensor parallel beyond the KV heads</source>
        <translation>张量并行超过 KV 头数</translation>
    </message>
    <message>
        <source>This model has 4 KV heads. With TP 8 instead of TP 4, how much of each token does one GPU keep?</source>
        <translation>该模型有 4 个 KV 头。用 TP 8 代替 TP 4，一个 GPU 为每个 token 保留多少？</translation>
    </message>
    <message>
        <source>DeepSeek-V3, 671 billion parameters</source>
        <translation>DeepSeek-V3，6710 亿参数</translation>
    </message>
    <message>
        <source>Llama 3.1 70B</source>
        <translation>Llama 3.1 70B</translation>
    </message>
    <message>
        <source>Llama 3.1 70B keeps 328 kB a token. What does DeepSeek-V3 keep, with nearly ten times the parameters?</source>
        <translation>Llama 3.1 70B 每个 token 保留 328 kB。参数近十倍的 DeepSeek-V3 保留多少？</translation>
    </message>
    <message>
        <source>The bigger model with the smaller cache</source>
        <translation>模型更大，缓存更小</translation>
    </message>
    <message>
        <source>The cache follows layers, KV heads and head dim, or the latent; experts and vocabulary play no part in it. Parameters decide the weights, the attention decides the users</source>
        <translation>缓存取决于层数、KV 头和头维度，或潜向量；专家和词表与它无关。参数决定权重，注意力决定用户数</translation>
    </message>
    <message>
        <source>Try Mixtral or Gemma 3 and guess before you look</source>
        <translation>试试 Mixtral 或 Gemma 3，先猜再看</translation>
    </message>
    <message>
        <source>32 sequences of 32,768 tokens, of which the first 16,384 are the same system prompt. What does the cache hold when it is kept once?</source>
        <translation>32 个 32,768 个 token 的序列，前 16,384 个 token 是同一个系统提示词。只存一份时，缓存占多少？</translation>
    </message>
    <message>
        <source>A prompt that all share</source>
        <translation>大家共享的提示词</translation>
    </message>
    <message>
        <source>Blocks of a prefix that all sequences share are kept once and pointed to. Engines do this in whole blocks, and once for each replica</source>
        <translation>所有序列共享的前缀块只存一份，其余指向它。引擎以整块为单位，每个副本存一份</translation>
    </message>
    <message>
        <source>Drag the shared prefix and watch the amber part of the bars</source>
        <translation>拖动共享前缀，观察条形图中的琥珀色部分</translation>
    </message>
    <message>
        <source>the prefix 32 times</source>
        <translation>前缀存 32 份</translation>
    </message>
    <message>
        <source>the prefix once: right</source>
        <translation>前缀存一份：正确</translation>
    </message>
    <message>
        <source>131,072 tokens each, reserved</source>
        <translation>每个 131,072 个 token，预留</translation>
    </message>
    <message>
        <source>2,048 tokens each, paged</source>
        <translation>每个 2,048 个 token，分页</translation>
    </message>
    <message>
        <source>A cache that is set aside for the longest answer is empty for the most part. Paging hands out small blocks as a sequence grows, which is why the same card serves many times the users</source>
        <translation>按最长回答预留的缓存大部分是空的。分页随序列增长分配小块，因此同一张卡能服务多倍的用户</translation>
    </message>
    <message>
        <source>A server sets aside the full 131,072 tokens for each of 16 sequences that hold 2,048. How much memory is that?</source>
        <translation>服务为 16 个序列各预留完整的 131,072 个 token，而每个只有 2,048 个。这是多少内存？</translation>
    </message>
    <message>
        <source>Count like vLLM and set the context to what your users really hold</source>
        <translation>按 vLLM 计算，把上下文设为用户实际的长度</translation>
    </message>
    <message>
        <source>Reserved and paged</source>
        <translation>预留与分页</translation>
    </message>
    <message>
        <source>Look at Lengths: where does the total lie in 95 of 100 cases, and where in 99?</source>
        <translation>看“长度”：100 次中的 95 次总量在哪里，99 次又在哪里？</translation>
    </message>
    <message>
        <source>Nine of ten requests are chats of 4,000 tokens, one is a document of 100,000. How many may run at once so that they fit in 99 of 100 cases?</source>
        <translation>十个请求中九个是 4,000 个 token 的对话，一个是 100,000 个 token 的文档。要 100 次中有 99 次放得下，最多同时运行多少个？</translation>
    </message>
    <message>
        <source>The average request is short, but now and then many documents come together. Planned with the average the server runs out about every second time; planned with the longest request most of it stands empty</source>
        <translation>平均的请求很短，但偶尔会有许多文档同时到来。按平均规划，服务大约每两次就有一次耗尽内存；按最长的请求规划，大部分内存空着</translation>
    </message>
    <message>
        <source>p99 against the average</source>
        <translation>p99 与平均值</translation>
    </message>
    <message>
        <source>planned with the average</source>
        <translation>按平均值规划</translation>
    </message>
    <message>
        <source>planned with the longest</source>
        <translation>按最长值规划</translation>
    </message>
    <message>
        <source>so that p99 fits: right</source>
        <translation>使 p99 放得下：正确</translation>
    </message>
    <message>
        <source>all heads</source>
        <translation>全部头</translation>
    </message>
    <message>
        <source>full</source>
        <translation>全注意力</translation>
    </message>
    <message>
        <source>nothing cached (encoder)</source>
        <translation>没有缓存（编码器）</translation>
    </message>
    <message>
        <source>grouped heads</source>
        <translation>分组头</translation>
    </message>
    <message>
        <source>latent</source>
        <translation>潜向量</translation>
    </message>
    <message>
        <source>quantised checkpoint</source>
        <translation>量化检查点</translation>
    </message>
    <message>
        <source>compressed entries</source>
        <translation>压缩条目</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>one KV head</source>
        <translation>一个 KV 头</translation>
    </message>
    <message>
        <source>quantised checkpoint with a KV hint</source>
        <translation>量化检查点，带 KV 提示</translation>
    </message>
    <message>
        <source>layers that share KV</source>
        <translation>共享 KV 的层</translation>
    </message>
    <message>
        <source>MLA</source>
        <translation>MLA</translation>
    </message>
    <message>
        <source>recurrent state (KDA)</source>
        <translation>循环状态（KDA）</translation>
    </message>
    <message>
        <source>short-convolution state</source>
        <translation>短卷积状态</translation>
    </message>
    <message>
        <source>cross-attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>heads per layer</source>
        <translation>每层头数不同</translation>
    </message>
    <message>
        <source>layers without attention</source>
        <translation>无注意力的层</translation>
    </message>
    <message>
        <source>chunks</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>state only (Mamba 1)</source>
        <translation>仅状态（Mamba 1）</translation>
    </message>
    <message>
        <source>lightning-attention state</source>
        <translation>lightning attention 状态</translation>
    </message>
    <message>
        <source>window on every layer</source>
        <translation>每层都有窗口</translation>
    </message>
    <message>
        <source>encoder-decoder: full</source>
        <translation>编码器-解码器：全注意力</translation>
    </message>
    <message>
        <source>start-up log of %1</source>
        <translation>%1 的启动日志</translation>
    </message>
    <message>
        <source>start-up log of %1 %2</source>
        <translation>%1 %2 的启动日志</translation>
    </message>
    <message>
        <source>Activations and the like</source>
        <translation>激活值等</translation>
    </message>
    <message>
        <source>Bytes of a token</source>
        <translation>每 token 字节数</translation>
    </message>
    <message>
        <source>Cells of a slot</source>
        <translation>每个槽位的单元数</translation>
    </message>
    <message>
        <source>Compute buffers</source>
        <translation>计算缓冲区</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>KV that one request needs</source>
        <translation>一个请求所需的 KV</translation>
    </message>
    <message>
        <source>Left for KV</source>
        <translation>留给 KV</translation>
    </message>
    <message>
        <source>Longest request that would fit</source>
        <translation>放得下的最长请求</translation>
    </message>
    <message>
        <source>Maximum concurrency</source>
        <translation>最大并发</translation>
    </message>
    <message>
        <source>Memory of one GPU</source>
        <translation>每个 GPU 的显存</translation>
    </message>
    <message>
        <source>Recurrent states</source>
        <translation>循环状态</translation>
    </message>
    <message>
        <source>The plan counts like %1, the log is of %2: figures of the one need not be those of the other</source>
        <translation>规划按 %1 计算，而日志来自 %2：两者的数字不必一致</translation>
    </message>
    <message>
        <source>Tokens of the cache</source>
        <translation>缓存的 token 数</translation>
    </message>
    <message>
        <source>model: &quot;%1&quot; of the log is no model known here and no file of this machine; name it to see its plan (--model ID|PATH)</source>
        <translation>model：日志中的“%1”不是此处已知的模型，也不是本机的文件；请指明模型以查看规划（--model ID|PATH）</translation>
    </message>
    <message>
        <source>model: the log does not name its model; name it to see its plan (--model ID|PATH)</source>
        <translation>model：日志没有指明模型；请指明模型以查看规划（--model ID|PATH）</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no model known here; %2, which its name is a variant of, is planned in its place: the same layers, weights as far as the log tells</source>
        <translation>“%1”不是此处已知的模型；改为规划 %2（从名称看它是其变体）：层结构相同，权重以日志所述为准</translation>
    </message>
    <message>
        <source>The model that the log names was not read: %1</source>
        <translation>未读取日志所指的模型：%1</translation>
    </message>
    <message>
        <source>The cache&apos;s type &quot;%1&quot; of the log is not known here; the engine&apos;s own choice is planned</source>
        <translation>日志中的缓存类型“%1”在此未知；按引擎自己的选择规划</translation>
    </message>
    <message>
        <source>The log does not say which GPU it was: planned from the memory for KV that it prints; name the GPU to see the whole budget</source>
        <translation>日志没有说明是哪种 GPU：按它打印的 KV 内存规划；指明 GPU 即可看到完整预算</translation>
    </message>
    <message>
        <source>The log gives the GPU&apos;s memory, not its name: planned as %1, whose total is nearest</source>
        <translation>日志只给出 GPU 的显存，没有名称：按总显存最接近的 %1 规划</translation>
    </message>
    <message>
        <source>The log says neither the GPU nor its memory: planned with %1</source>
        <translation>日志既没有给出 GPU，也没有给出显存：按 %1 规划</translation>
    </message>
    <message>
        <source>The server drafts; the drafter&apos;s layers are not in the plan: give draft_layers to count them</source>
        <translation>该服务使用草稿模型，其层不在规划中：给出 draft_layers 即可计入</translation>
    </message>
    <message>
        <source>vLLM %1 is not among the releases known here; planned as 0.6, the oldest</source>
        <translation>vLLM %1 不在此处已知的版本之中；按最早的 0.6 规划</translation>
    </message>
    <message>
        <source>vLLM %1 is not among the releases known here; planned as the default one</source>
        <translation>vLLM %1 不在此处已知的版本之中；按默认版本规划</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be counted: %2</source>
        <translation>“%1”无法计算：%2</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not known here; its usual keys were read as those of a plain decoder</source>
        <translation>“%1”在此未知；按普通解码器读取了它的常见键</translation>
    </message>
    <message>
        <source>%1: expected a JSON object { … } with the model&apos;s settings, found %2</source>
        <translation>%1：应为包含模型设置的 JSON 对象 { … }，实际是 %2</translation>
    </message>
    <message>
        <source>says that some layers keep a recurrent state, but nothing that is known here says which (model type &quot;%1&quot;)</source>
        <translation>说明有些层保留循环状态，但此处已知的内容没有说明是哪些层（模型类型“%1”）</translation>
    </message>
    <message>
        <source>says that some layers keep a recurrent state, but nothing that is known here says which (no model_type)</source>
        <translation>说明有些层保留循环状态，但此处已知的内容没有说明是哪些层（没有 model_type）</translation>
    </message>
    <message>
        <source>the file names no model type; its usual keys were read as those of a plain decoder</source>
        <translation>文件没有给出模型类型；按普通解码器读取了它的常见键</translation>
    </message>
    <message>
        <source>four convolutions a layer keep states whose sizes no key says</source>
        <translation>每层四个卷积都保留状态，其大小没有键说明</translation>
    </message>
    <message>
        <source>it keeps hidden states of earlier segments, not keys and values</source>
        <translation>它保留的是之前各段的隐藏状态，而不是键和值</translation>
    </message>
    <message>
        <source>its convolved, compressed attention keeps states whose sizes no key says</source>
        <translation>其经过卷积的压缩注意力保留状态，大小没有键说明</translation>
    </message>
    <message>
        <source>its hashed and local caches follow no published size</source>
        <translation>其哈希缓存和局部缓存没有公开的大小</translation>
    </message>
    <message>
        <source>its second half reads one shared cache and gated states that no key describes</source>
        <translation>其后半部分读取一个共享缓存和门控状态，没有键描述它们</translation>
    </message>
    <message>
        <source>the size of its states is not among the kinds that are known here</source>
        <translation>其状态的大小不在此处已知的种类之中</translation>
    </message>
    <message>
        <source>%1 are missing (%2); without it the size of the cache is not known</source>
        <translation>缺少 %1（%2）；没有它就无法得知缓存大小</translation>
    </message>
    <message>
        <source>%1 are missing (%2); without them the size of the cache is not known</source>
        <translation>缺少 %1（%2）；没有它们就无法得知缓存大小</translation>
    </message>
    <message>
        <source>%1 is missing (%2); without it the size of the cache is not known</source>
        <translation>缺少 %1（%2）；没有它就无法得知缓存大小</translation>
    </message>
    <message>
        <source>%1 is missing (%2); without them the size of the cache is not known</source>
        <translation>缺少 %1（%2）；没有它们就无法得知缓存大小</translation>
    </message>
    <message>
        <source>default of this model type (%1)</source>
        <translation>该模型类型（%1）的默认值</translation>
    </message>
    <message>
        <source>expected %1, found %2</source>
        <translation>应为%1，实际是 %2</translation>
    </message>
    <message>
        <source>expected a list with an entry for each layer, found %1</source>
        <translation>应为每层一项的列表，实际是 %1</translation>
    </message>
    <message>
        <source>expected a whole number of 1 or more, found null</source>
        <translation>应为不小于 1 的整数，实际是 null</translation>
    </message>
    <message>
        <source>expected an object { … }, found %1</source>
        <translation>应为对象 { … }，实际是 %1</translation>
    </message>
    <message>
        <source>expected true or false, found %1</source>
        <translation>应为 true 或 false，实际是 %1</translation>
    </message>
    <message>
        <source>left out in the file, taken from the defaults of model type %1: %2</source>
        <translation>文件中未给出，取自模型类型 %1 的默认值：%2</translation>
    </message>
    <message>
        <source>model type &quot;%1&quot;</source>
        <translation>模型类型“%1”</translation>
    </message>
    <message>
        <source>the file names no model_type</source>
        <translation>文件没有给出 model_type</translation>
    </message>
    <message>
        <source>which is not known here</source>
        <translation>它在此未知</translation>
    </message>
    <message>
        <source>the last layer of this model type is always full, although the list calls it sliding</source>
        <translation>该模型类型的最后一层总是全注意力，尽管列表称它为滑动窗口</translation>
    </message>
    <message>
        <source>the last layers read an earlier layer&apos;s cache and own none</source>
        <translation>最后几层读取前面层的缓存，自己没有缓存</translation>
    </message>
    <message>
        <source>%1 ÷ 2: it counts the two attention blocks of each layer</source>
        <translation>%1 ÷ 2：它计的是每层的两个注意力块</translation>
    </message>
    <message>
        <source>%1, on %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>each with two attention blocks</source>
        <translation>每层有两个注意力块</translation>
    </message>
    <message>
        <source>kept uncompressed beside the entries, on every layer</source>
        <translation>与条目一起不压缩地保留，每层都有</translation>
    </message>
    <message>
        <source>left out in the file: the class&apos;s own order of ratios was taken</source>
        <translation>文件中未给出：采用该类自己的比率顺序</translation>
    </message>
    <message>
        <source>on layers of ratio 4 alone, one key an entry</source>
        <translation>仅在比率为 4 的层，每个条目一个键</translation>
    </message>
    <message>
        <source>the layer kind %1 is not known here, so what such a layer keeps is not known</source>
        <translation>层类型 %1 在此未知，因此不知道这样的层保留什么</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is a model of pictures, sound or series: it generates no text token by token and keeps no KV cache, so only its weights count</source>
        <translation>“%1”是图像、声音或序列数据的模型：不逐 token 生成文本，没有 KV 缓存，只计权重</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is an encoder: it generates no text token by token and keeps no KV cache, so only its weights count</source>
        <translation>“%1”是编码器：不逐 token 生成文本，没有 KV 缓存，只计权重</translation>
    </message>
    <message>
        <source>%1 ÷ 2 for each of %2</source>
        <translation>%1 对 %2 各 ÷ 2</translation>
    </message>
    <message>
        <source>%1, as no KV heads are named</source>
        <translation>%1，因为没有给出 KV 头数</translation>
    </message>
    <message>
        <source>kept once a sequence, whatever the text&apos;s length</source>
        <translation>每个序列保留一份，与文本长度无关</translation>
    </message>
    <message>
        <source>kept once a sequence; these layers do not grow with the text</source>
        <translation>每个序列保留一份；这些层不随文本增长</translation>
    </message>
    <message>
        <source>no key names a limit</source>
        <translation>没有键给出上限</translation>
    </message>
    <message>
        <source>of the decoder; the encoder keeps nothing</source>
        <translation>解码器的层数；编码器不保留缓存</translation>
    </message>
    <message>
        <source>the encoder&apos;s longest input</source>
        <translation>编码器的最长输入</translation>
    </message>
    <message>
        <source>vision_config.image_size, patch_size and max_num_tiles</source>
        <translation>vision_config.image_size、patch_size 和 max_num_tiles</translation>
    </message>
    <message>
        <source>left out in the file: the class&apos;s own list of 54 layers was taken</source>
        <translation>文件中未给出：采用该类自己的 54 层列表</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no type that is known here; 16 bit (BF16) is assumed</source>
        <translation>“%1”不是此处已知的类型；假设为 16 bit（BF16）</translation>
    </message>
    <message>
        <source>%1 (nested)</source>
        <translation>%1（嵌套）</translation>
    </message>
    <message>
        <source>no dtype in the file: 16 bit</source>
        <translation>文件没有 dtype：按 16 bit</translation>
    </message>
    <message>
        <source>the file names no model type; &quot;%1&quot; was taken from its architecture %2</source>
        <translation>文件没有给出模型类型；由其架构 %2 得出“%1”</translation>
    </message>
    <message>
        <source>the file&apos;s dtype is not known: 16 bit</source>
        <translation>文件的 dtype 未知：按 16 bit</translation>
    </message>
    <message>
        <source>this KV type is not known here and is ignored: %1</source>
        <translation>该 KV 类型在此未知，已忽略：%1</translation>
    </message>
    <message>
        <source>expected &quot;full&quot; or &quot;shared&quot;, found %1</source>
        <translation>应为 &quot;full&quot; 或 &quot;shared&quot;，实际是 %1</translation>
    </message>
    <message>
        <source>kept once beside the latent, not for each head</source>
        <translation>与潜向量一起只存一份，不是每个头一份</translation>
    </message>
    <message>
        <source>some layers keep a recurrent state, but no key that is known here says its size</source>
        <translation>有些层保留循环状态，但没有已知的键说明其大小</translation>
    </message>
    <message>
        <source>the state of this block is counted as heads × head size × value size and a convolution over the values</source>
        <translation>该块的状态按 头数 × 头大小 × 值大小，以及对值的卷积计算</translation>
    </message>
    <message>
        <source>a fixed size, whatever the context</source>
        <translation>大小固定，与上下文无关</translation>
    </message>
    <message>
        <source>expected a number above 0 and up to 64, found %1</source>
        <translation>应为大于 0 且不超过 64 的数，实际是 %1</translation>
    </message>
    <message>
        <source>expected a type such as float32 or bfloat16, found &quot;%1&quot;</source>
        <translation>应为 float32 或 bfloat16 等类型，实际是“%1”</translation>
    </message>
    <message>
        <source>head_size is not named; RWKV&apos;s usual 64 was taken</source>
        <translation>没有给出 head_size；采用 RWKV 常用的 64</translation>
    </message>
    <message>
        <source>kept in the model&apos;s dtype, whatever the KV type</source>
        <translation>以模型的 dtype 保存，与 KV 类型无关</translation>
    </message>
    <message>
        <source>no head_size is named</source>
        <translation>没有给出 head_size</translation>
    </message>
    <message>
        <source>expected a block with its &quot;attention&quot;, found %1</source>
        <translation>应为带 &quot;attention&quot; 的块，实际是 %1</translation>
    </message>
    <message>
        <source>n_heads_in_group is the size of a group, not a number of heads</source>
        <translation>n_heads_in_group 是组的大小，不是头数</translation>
    </message>
    <message>
        <source>%1 lists them</source>
        <translation>由 %1 列出</translation>
    </message>
    <message>
        <source>the letter &apos;%1&apos; is not known: M is a Mamba layer, * attention, - a feed-forward, E experts</source>
        <translation>字母 &apos;%1&apos; 未知：M 是 Mamba 层，* 是注意力，- 是前馈，E 是专家</translation>
    </message>
    <message>
        <source>%1 is true: one head for all</source>
        <translation>%1 为 true：所有头共用一个</translation>
    </message>
    <message>
        <source>%1, as no KV heads are named: every query head has its own</source>
        <translation>%1，因为没有给出 KV 头数：每个查询头各有一个</translation>
    </message>
    <message>
        <source>not %1, which is no whole number</source>
        <translation>不是 %1，它不是整数</translation>
    </message>
    <message>
        <source>says there is no window, while a list marks %1 as sliding: counted as full</source>
        <translation>说明没有窗口，而列表把 %1 标为滑动窗口：按全注意力计算</translation>
    </message>
    <message>
        <source>the letter &apos;%1&apos; of the pattern &quot;%2&quot; is not known: L is a layer with a window, G one without</source>
        <translation>模式“%2”中的字母 &apos;%1&apos; 未知：L 是带窗口的层，G 是不带窗口的层</translation>
    </message>
    <message>
        <source>experts MXFP4</source>
        <translation>专家 MXFP4</translation>
    </message>
    <message>
        <source>the weights are quantised as &quot;%1&quot;, which is not known here: how many bytes they take cannot be said</source>
        <translation>权重的量化方式“%1”在此未知：无法得知其字节数</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has a block whose weights are not known here</source>
        <translation>“%1”含有权重未知的块</translation>
    </message>
    <message>
        <source>the layers of &quot;%1&quot; are not known here</source>
        <translation>“%1”的层在此未知</translation>
    </message>
    <message>
        <source>the weights of &quot;%1&quot; are counted, not checked against a published checkpoint</source>
        <translation>“%1”的权重为计算值，尚未与公开的检查点核对</translation>
    </message>
    <message>
        <source>the weights of the tower that reads pictures or sound are not counted: &quot;%1&quot; has one of a kind that is not known here</source>
        <translation>未计入处理图片或声音部分的权重：“%1”的这部分属于未知的种类</translation>
    </message>
    <message>
        <source>their number is out of range</source>
        <translation>其数量超出范围</translation>
    </message>
    <message>
        <source>weights cannot be counted: %1</source>
        <translation>无法计算权重：%1</translation>
    </message>
    <message>
        <source>FP8 blocks 128 × 128</source>
        <translation>FP8，分块 128 × 128</translation>
    </message>
    <message>
        <source>FP8 per channel</source>
        <translation>FP8（逐通道）</translation>
    </message>
    <message>
        <source>FP8 per tensor</source>
        <translation>FP8（逐张量）</translation>
    </message>
    <message>
        <source>INT8 per channel</source>
        <translation>INT8（逐通道）</translation>
    </message>
    <message>
        <source>INT8 per tensor</source>
        <translation>INT8（逐张量）</translation>
    </message>
    <message>
        <source>MXFP4 experts</source>
        <translation>MXFP4 专家</translation>
    </message>
    <message>
        <source>bitsandbytes FP4</source>
        <translation>bitsandbytes FP4</translation>
    </message>
    <message>
        <source>bitsandbytes FP4, double</source>
        <translation>bitsandbytes FP4（双重量化）</translation>
    </message>
    <message>
        <source>bitsandbytes INT8</source>
        <translation>bitsandbytes INT8</translation>
    </message>
    <message>
        <source>bitsandbytes NF4</source>
        <translation>bitsandbytes NF4</translation>
    </message>
    <message>
        <source>bitsandbytes NF4, double</source>
        <translation>bitsandbytes NF4（双重量化）</translation>
    </message>
    <message>
        <source>counted from config</source>
        <translation>由 config 计算</translation>
    </message>
    <message>
        <source>gguf tensor table</source>
        <translation>取自 GGUF 张量表</translation>
    </message>
    <message>
        <source>safetensors headers</source>
        <translation>取自 safetensors 文件头</translation>
    </message>
    <message>
        <source>safetensors index</source>
        <translation>取自 safetensors 索引</translation>
    </message>
    <message>
        <source>weights.dtype: &quot;%1&quot; is no type of weights</source>
        <translation>weights.dtype：“%1”不是权重类型</translation>
    </message>
    <message>
        <source>weights.dtype: how many parameters this model has is not known, so their size in %1 cannot be said; give it by hand (weights.bytes)</source>
        <translation>weights.dtype：该模型的参数量未知，无法得知以 %1 保存时的大小；请手动给出（weights.bytes）</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1和%2</translation>
    </message>
    <message>
        <source>%1 cache and %2 weights</source>
        <translation>%1 缓存和 %2 权重</translation>
    </message>
    <message>
        <source>%1 sequence is one too many</source>
        <translation>%1序列就放不下了</translation>
    </message>
    <message>
        <source>%1 sequence needs %2 more</source>
        <translation>%1序列还需要 %2</translation>
    </message>
    <message>
        <source>%1: %2 → %3 user</source>
        <translation>%1：%2 → %3 个用户</translation>
    </message>
    <message>
        <source>%1: %2 → %3 users</source>
        <translation>%1：%2 → %3 个用户</translation>
    </message>
    <message>
        <source>%1: it fits</source>
        <translation>%1：放得下</translation>
    </message>
    <message>
        <source>= %1 B = %2 a sequence</source>
        <translation>= %1 B = 每个序列 %2</translation>
    </message>
    <message>
        <source>= %1 a sequence</source>
        <translation>= 每个序列 %1</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块数</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Deployments</source>
        <translation>部署数</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>KV</source>
        <translation>KV</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点数</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation>开销</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Reserve</source>
        <translation>预留</translation>
    </message>
    <message>
        <source>Sequences</source>
        <translation>序列数</translation>
    </message>
    <message>
        <source>Short</source>
        <translation>缺口</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>槽位数</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>拆分</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>always</source>
        <translation>总是</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>chunk</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>chunked</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>compressed</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>cross</source>
        <translation>交叉</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>有差异</translation>
    </message>
    <message>
        <source>estimate</source>
        <translation>估算</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>估算</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确值</translation>
    </message>
    <message>
        <source>experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>false</source>
        <translation>false</translation>
    </message>
    <message>
        <source>free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>given</source>
        <translation>手动给出</translation>
    </message>
    <message>
        <source>indexer</source>
        <translation>索引器</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>layers of full attention</source>
        <translation>全注意力层</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>测量值</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>off</source>
        <translation>off</translation>
    </message>
    <message>
        <source>on</source>
        <translation>on</translation>
    </message>
    <message>
        <source>overhead</source>
        <translation>开销</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>压缩比</translation>
    </message>
    <message>
        <source>recurrent</source>
        <translation>循环状态</translation>
    </message>
    <message>
        <source>sequences</source>
        <translation>序列数</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>true</source>
        <translation>true</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>withheld</source>
        <translation>引擎预留</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>full attention</source>
        <translation>全注意力</translation>
    </message>
    <message>
        <source>and %1</source>
        <translation>和 %1</translation>
    </message>
    <message>
        <source>%1 fit</source>
        <translation>放得下 %1</translation>
    </message>
    <message>
        <source>%1 fits</source>
        <translation>放得下 %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>每 %2 次有 %1 次</translation>
    </message>
    <message>
        <source>%1 → %2 user</source>
        <translation>%1 → %2 个用户</translation>
    </message>
    <message>
        <source>%1 → %2 users</source>
        <translation>%1 → %2 个用户</translation>
    </message>
    <message>
        <source>%1 need %2</source>
        <translation>%1需要 %2</translation>
    </message>
    <message>
        <source>%1 need %2, %3</source>
        <translation>%1需要 %2，%3</translation>
    </message>
    <message>
        <source>%1 needs %2</source>
        <translation>%1需要 %2</translation>
    </message>
    <message>
        <source>%1 needs %2, %3</source>
        <translation>%1需要 %2，%3</translation>
    </message>
    <message>
        <source>%1 in all</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>KV heads</source>
        <translation>KV 头</translation>
    </message>
    <message>
        <source>it fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>is one too many</source>
        <translation>就放不下了</translation>
    </message>
    <message>
        <source>needs %1 more</source>
        <translation>还需要 %1</translation>
    </message>
    <message>
        <source>It fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>权重 %1</translation>
    </message>
    <message>
        <source>What a program gets of %1 is not known exactly: counted is the driver&apos;s figure less %L2 MiB, as like cards keep back</source>
        <translation>程序能从 %1 得到多少显存并不确切：按驱动值减去 %L2 MiB 计算，同类卡会保留这么多</translation>
    </message>
    <message>
        <source>Each of %L1 slots has %L2 cells; n_ctx %L3 is divided among them</source>
        <translation>%L1 个槽位各有 %L2 个单元；n_ctx %L3 由它们平分</translation>
    </message>
    <message>
        <source>kv: a quantised cache has blocks of 32, which do not divide this model&apos;s head size of %L1; take f16, bf16 or f32 for the kv types</source>
        <translation>kv：量化缓存每块 32 个值，不能整除该模型的头维度 %L1；KV 类型请用 f16、bf16 或 f32</translation>
    </message>
    <message>
        <source>workload.sequences: llama.cpp has at most 256 slots; %L1 are asked for</source>
        <translation>workload.sequences：llama.cpp 最多 256 个槽位，请求了 %L1 个</translation>
    </message>
    <message>
        <source>engine.options.tensor_split: expected a share of 0 or more for each of the %L1 GPUs</source>
        <translation>engine.options.tensor_split：%L1 个 GPU 各应有一个不小于 0 的份额</translation>
    </message>
    <message>
        <source>The window pool of %L1 tokens does not hold one window of %L2: SGLang refuses to start; raise swa_full_tokens_ratio or the memory</source>
        <translation>窗口池的 %L1 个 token 放不下一个 %L2 的窗口：SGLang 拒绝启动；请增大 swa_full_tokens_ratio 或显存</translation>
    </message>
    <message>
        <source>%L1 pipeline stages are more than the %L2 layers</source>
        <translation>%L1 个流水线级多于 %L2 层</translation>
    </message>
    <message>
        <source>SGLang needs a tensor parallel degree that divides the %L1 query heads; %L2 does not</source>
        <translation>SGLang 要求张量并行度能整除 %L1 个查询头；%L2 不能</translation>
    </message>
    <message>
        <source>decode context parallel %L1 must divide tp %L2</source>
        <translation>解码上下文并行度 %L1 必须整除 tp %L2</translation>
    </message>
    <message>
        <source>with DP attention dp must divide tp; %L1 does not divide %L2</source>
        <translation>使用 DP attention 时 dp 必须整除 tp；%L1 不能整除 %L2</translation>
    </message>
    <message>
        <source>%L1 sequence</source>
        <translation>%L1 个序列</translation>
    </message>
    <message>
        <source>%L1 sequences</source>
        <translation>%L1 个序列</translation>
    </message>
    <message>
        <source>The %L1 state slots serve %2</source>
        <translation>%L1 个状态槽位可服务 %2</translation>
    </message>
    <message>
        <source>The %L1 state slots serve %2, three slots each with the radix cache</source>
        <translation>%L1 个状态槽位可服务 %2，使用 radix cache 时每个序列占三个槽位</translation>
    </message>
    <message>
        <source>The pool of %L1 tokens holds %2 of %L3</source>
        <translation>%L1 个 token 的池可放 %2（每个 %L3）</translation>
    </message>
    <message>
        <source>The window pool of %L1 tokens does not hold one window of %L2</source>
        <translation>窗口池的 %L1 个 token 放不下一个 %L2 的窗口</translation>
    </message>
    <message>
        <source>The window pool of %L1 tokens holds the windows of %2; swa_full_tokens_ratio sets its share</source>
        <translation>窗口池的 %L1 个 token 可放 %2 的窗口；其份额由 swa_full_tokens_ratio 设定</translation>
    </message>
    <message>
        <source>a stage cannot have %L1 of %L2 layers</source>
        <translation>一个级不能有 %L2 层中的 %L1 层</translation>
    </message>
    <message>
        <source>expected one number of layers for each of the %L1 pipeline stages, found %L2</source>
        <translation>%L1 个流水线级各应有一个层数，实际是 %L2</translation>
    </message>
    <message>
        <source>the stages hold %L1 layers together, the model has %L2</source>
        <translation>各级合计 %L1 层，而模型有 %L2 层</translation>
    </message>
    <message>
        <source>engine.options.max_attention_window: a window of %L1 tokens is none</source>
        <translation>engine.options.max_attention_window：%L1 个 token 的窗口无效</translation>
    </message>
    <message>
        <source>parallel.pp: %L1 pipeline stages are more than the %L2 layers</source>
        <translation>parallel.pp：%L1 个流水线级多于 %L2 层</translation>
    </message>
    <message>
        <source>parallel.tp: TensorRT-LLM needs a tensor parallel degree that divides the %L1 query heads; %L2 does not</source>
        <translation>parallel.tp：TensorRT-LLM 要求张量并行度能整除 %L1 个查询头；%L2 不能</translation>
    </message>
    <message>
        <source>%L1 sequence on each replica</source>
        <translation>每个副本 %L1 个序列</translation>
    </message>
    <message>
        <source>%L1 sequences on each replica</source>
        <translation>每个副本 %L1 个序列</translation>
    </message>
    <message>
        <source>Pool %L1 of %L2 has %L3 blocks, and each sequence takes %L4 of them: room for %5</source>
        <translation>%L2 个池中的第 %L1 个有 %L3 块，每个序列占 %L4 块：可放 %5</translation>
    </message>
    <message>
        <source>The pool has %L1 blocks, and each sequence takes %L2 of them: room for %3</source>
        <translation>池有 %L1 块，每个序列占 %L2 块：可放 %3</translation>
    </message>
    <message>
        <source>engines keep the latent whole on each of the %L1 GPUs of a tensor-parallel group</source>
        <translation>引擎会在张量并行组的 %L1 个 GPU 上各存一份完整的潜向量</translation>
    </message>
    <message>
        <source>pp %L1 is more than the model&apos;s %L2 layers: no engine would start so; the textbook splits everything evenly all the same</source>
        <translation>pp %L1 多于模型的 %L2 层：没有引擎会这样启动；教科书公式仍然平均拆分</translation>
    </message>
    <message>
        <source>tp %L1 does not divide the model&apos;s %L2 query heads: no engine would start so; the textbook splits everything evenly all the same</source>
        <translation>tp %L1 不能整除模型的 %L2 个查询头：没有引擎会这样启动；教科书公式仍然平均拆分</translation>
    </message>
    <message>
        <source>tp %L1 is more than the %L2 KV head, and engines keep copies of them</source>
        <translation>tp %L1 多于 %L2 个 KV 头，引擎会保存它们的副本</translation>
    </message>
    <message>
        <source>tp %L1 is more than the %L2 KV heads, and engines keep copies of them</source>
        <translation>tp %L1 多于 %L2 个 KV 头，引擎会保存它们的副本</translation>
    </message>
    <message>
        <source>engine.options.max_cache_len: a static cache of %L1 tokens cannot hold a context of %L2; raise it or shorten the context</source>
        <translation>engine.options.max_cache_len：%L1 个 token 的静态缓存放不下 %L2 的上下文；请增大它或缩短上下文</translation>
    </message>
    <message>
        <source>The layers of this model have pages of %L1 and %L2 bytes, which do not divide: vLLM %3 does not start it with these settings; try another tensor-parallel degree, another KV type, or version 0.28</source>
        <translation>该模型各层的页为 %L1 和 %L2 字节，不能整除：vLLM %3 在这些设置下不启动；请尝试其他张量并行度、其他 KV 类型或版本 0.28</translation>
    </message>
    <message>
        <source>One request of max_model_len, %L1 tokens, does not fit, so that vLLM would not start</source>
        <translation>一个 max_model_len（%L1 个 token）的请求放不下，因此 vLLM 无法启动</translation>
    </message>
    <message>
        <source>The pool has %L1 blocks, and each sequence takes %L2</source>
        <translation>池有 %L1 块，每个序列占 %L2 块</translation>
    </message>
    <message>
        <source>max_model_len allows requests of %L1 tokens</source>
        <translation>max_model_len 允许 %L1 个 token 的请求</translation>
    </message>
    <message>
        <source>max_num_seqs runs %L1 sequences at a time</source>
        <translation>max_num_seqs 同时运行 %L1 个序列</translation>
    </message>
    <message>
        <source>max_num_seqs runs %L1 sequences at a time on each replica</source>
        <translation>max_num_seqs 在每个副本上同时运行 %L1 个序列</translation>
    </message>
    <message>
        <source>Attention blocks grow to %L1 tokens, so that a page of attention holds one state</source>
        <translation>注意力块增大到 %L1 个 token，使一页注意力能放下一个状态</translation>
    </message>
    <message>
        <source>The attention kernels of this model and card work with blocks of %L1: vLLM takes that instead of %L2</source>
        <translation>该模型在该卡上的注意力内核使用大小为 %L1 的块：vLLM 以它代替 %L2</translation>
    </message>
    <message>
        <source>vLLM runs at most max_num_seqs sequences at a time, %L1 a replica here; further ones wait</source>
        <translation>vLLM 最多同时运行 max_num_seqs 个序列，此处每个副本 %L1 个；其余的等待</translation>
    </message>
    <message>
        <source>vLLM takes no request longer than max_model_len, %L1 tokens; raise it or shorten the context of %L2</source>
        <translation>vLLM 不接受超过 max_model_len（%L1 个 token）的请求；请增大它，或缩短 %L2 的上下文</translation>
    </message>
    <message>
        <source>vLLM would not start: one request of max_model_len, %L1 tokens, needs %2 of cache on a GPU, and %3 are left; not one token fits</source>
        <translation>vLLM 无法启动：一个 max_model_len（%L1 个 token）的请求在一个 GPU 上需要 %2 的缓存，只剩 %3；连一个 token 也放不下</translation>
    </message>
    <message>
        <source>vLLM would not start: one request of max_model_len, %L1 tokens, needs %2 of cache on a GPU, and %3 are left; the longest max_model_len that starts is %L4</source>
        <translation>vLLM 无法启动：一个 max_model_len（%L1 个 token）的请求在一个 GPU 上需要 %2 的缓存，只剩 %3；能启动的最大 max_model_len 是 %L4</translation>
    </message>
    <message>
        <source>%1: expected a whole number from %L2 to %L3, found %L4</source>
        <translation>%1：应为 %L2 到 %L3 的整数，实际是 %L4</translation>
    </message>
    <message>
        <source>engine.options.max_num_batched_tokens: vLLM wants at least max_num_seqs (%L1), found %L2; raise it or lower max_num_seqs</source>
        <translation>engine.options.max_num_batched_tokens：vLLM 要求不小于 max_num_seqs（%L1），实际是 %L2；请增大它或减小 max_num_seqs</translation>
    </message>
    <message>
        <source>%1: %L2 ranks are not taken with tp %L3 and %L4 KV heads: they must divide tp and fit into the copies of a KV head. Taken: %5</source>
        <translation>%1：tp %L3、%L4 个 KV 头时不支持 %L2 个 rank：它必须整除 tp，且不超过每个 KV 头的副本数。可用：%5</translation>
    </message>
    <message>
        <source>%1: %L2 ranks are not taken with tp %L3: they must divide it. Taken: %4</source>
        <translation>%1：tp %L3 时不支持 %L2 个 rank：它必须整除 tp。可用：%4</translation>
    </message>
    <message>
        <source>%1: vLLM&apos;s attention kernels take multiples of 16, found %L2; next to it: %3</source>
        <translation>%1：vLLM 的注意力内核要求 16 的倍数，实际是 %L2；最接近的是 %3</translation>
    </message>
    <message>
        <source>%1: vLLM&apos;s attention kernels take multiples of 16, found %L2; next to it: %L3 or %L4</source>
        <translation>%1：vLLM 的注意力内核要求 16 的倍数，实际是 %L2；最接近的是 %L3 或 %L4</translation>
    </message>
    <message>
        <source>or %L1</source>
        <translation>或 %L1</translation>
    </message>
    <message>
        <source>parallel.pp: %L1 pipeline stages are more than the model&apos;s %L2 layers; at most %L3</source>
        <translation>parallel.pp：%L1 个流水线级多于模型的 %L2 层；最多 %L3 个</translation>
    </message>
    <message>
        <source>parallel.tp: vLLM splits a model only over a number of GPUs that divides its %L1 query heads; %L2 does not. Next to it: %3; more GPUs can be pipeline stages (pp) or replicas (dp)</source>
        <translation>parallel.tp：vLLM 只按能整除 %L1 个查询头的 GPU 数拆分模型；%L2 不能。最接近的是 %3；更多的 GPU 可作流水线级（pp）或副本（dp）</translation>
    </message>
    <message>
        <source>parallel.tp: vLLM splits a model only over a number of GPUs that divides its KV heads (or that they divide) and the heads of its states; %L1 does not. Next to it: %2; more GPUs can be pipeline stages (pp) or replicas (dp)</source>
        <translation>parallel.tp：vLLM 只按能整除 KV 头数（或被其整除）且能整除状态头数的 GPU 数拆分模型；%L1 不能。最接近的是 %2；更多的 GPU 可作流水线级（pp）或副本（dp）</translation>
    </message>
    <message>
        <source>Found in a machine; its driver shows %L1 MiB</source>
        <translation>在某台机器中找到；其驱动显示 %L1 MiB</translation>
    </message>
    <message>
        <source>ended with status %L1; is its driver loaded?</source>
        <translation>以状态 %L1 结束；是否已加载其驱动？</translation>
    </message>
    <message>
        <source>more than %L1 layers that are all unlike: out of range</source>
        <translation>有超过 %L1 个互不相同的层：超出范围</translation>
    </message>
    <message>
        <source>%1 is out of range: expected a whole number from %L2 to %L3</source>
        <translation>%1 超出范围：应为 %L2 到 %L3 的整数</translation>
    </message>
    <message>
        <source>a whole number of %L1 or more</source>
        <translation>不小于 %L1 的整数</translation>
    </message>
    <message>
        <source>the number is written as text, %1; read as %L2</source>
        <translation>数字以文本 %1 给出，读作 %L2</translation>
    </message>
    <message>
        <source>%L1 layer</source>
        <translation>%L1 层</translation>
    </message>
    <message>
        <source>%L1 layers</source>
        <translation>%L1 层</translation>
    </message>
    <message>
        <source>%L1 of %2 share a cache, so none is left to own it</source>
        <translation>%2中有 %L1 层共享缓存，没有剩下拥有缓存的层</translation>
    </message>
    <message>
        <source>layer %L1 shares a cache, but no earlier layer of its kind owns one</source>
        <translation>第 %L1 层共享缓存，但之前没有同类的层拥有缓存</translation>
    </message>
    <message>
        <source>of every %L1 layers the first owns the cache</source>
        <translation>每 %L1 层中第一层拥有缓存</translation>
    </message>
    <message>
        <source>on full layers; sliding layers have %L1</source>
        <translation>全注意力层；滑动窗口层为 %L1</translation>
    </message>
    <message>
        <source>on full layers; sliding layers have %L1. Values equal keys and are kept all the same</source>
        <translation>全注意力层；滑动窗口层为 %L1。值与键相同，仍各存一份</translation>
    </message>
    <message>
        <source>on sliding layers; full layers have %L1</source>
        <translation>滑动窗口层；全注意力层为 %L1</translation>
    </message>
    <message>
        <source>values are not as wide as keys (%L1)</source>
        <translation>值的宽度与键不同（%L1）</translation>
    </message>
    <message>
        <source>%1 %L2 cannot be divided by %3</source>
        <translation>%1 %L2 不能被 %3 整除</translation>
    </message>
    <message>
        <source>%L1 convolution</source>
        <translation>%L1 个卷积</translation>
    </message>
    <message>
        <source>%L1 convolutions</source>
        <translation>%L1 个卷积</translation>
    </message>
    <message>
        <source>%L1 head</source>
        <translation>%L1 个头</translation>
    </message>
    <message>
        <source>%L1 heads</source>
        <translation>%L1 个头</translation>
    </message>
    <message>
        <source>cross-attention is counted for an encoder input of %L1 tokens (%2); a shorter input keeps less: the option encoder_tokens sets it</source>
        <translation>交叉注意力按 %L1 个 token 的编码器输入计算（%2）；输入更短则更少：由选项 encoder_tokens 设定</translation>
    </message>
    <message>
        <source>%L1 is no place within a period of %2 (attn_layer_period)</source>
        <translation>%L1 不在周期 %2 之内（attn_layer_period）</translation>
    </message>
    <message>
        <source>layer %L1 of %L2 stands in neither kda_layers nor full_attn_layers</source>
        <translation>%L2 层中的第 %L1 层既不在 kda_layers 也不在 full_attn_layers 中</translation>
    </message>
    <message>
        <source>layer %L1 stands in both lists of linear_attn_config</source>
        <translation>第 %L1 层同时在 linear_attn_config 的两个列表中</translation>
    </message>
    <message>
        <source>num_key_value_heads %L1 plays no part here: all heads read one latent</source>
        <translation>num_key_value_heads %L1 在此不起作用：所有头读取同一个潜向量</translation>
    </message>
    <message>
        <source>on %L1 of %2 (indexer_types), the others share a choice</source>
        <translation>%2中有 %L1 层（indexer_types），其余的共用选择结果</translation>
    </message>
    <message>
        <source>lists %1, but the model has %L2</source>
        <translation>列出了 %1，而模型有 %L2</translation>
    </message>
    <message>
        <source>(2 × %L1 key heads × %L2 + %L3 value heads × %L4)</source>
        <translation>（2 × %L1 个键头 × %L2 + %L3 个值头 × %L4）</translation>
    </message>
    <message>
        <source>(kernel %L1 − 1) × %2</source>
        <translation>（卷积核 %L1 − 1）× %2</translation>
    </message>
    <message>
        <source>width %L1</source>
        <translation>宽度 %L1</translation>
    </message>
    <message>
        <source>%1 × head size %L2 × state size %L3</source>
        <translation>%1 × 头大小 %L2 × 状态大小 %L3</translation>
    </message>
    <message>
        <source>%L1 cannot be divided into heads of %L2</source>
        <translation>%L1 不能分成大小为 %L2 的头</translation>
    </message>
    <message>
        <source>%L1 group</source>
        <translation>%L1 组</translation>
    </message>
    <message>
        <source>%L1 groups</source>
        <translation>%L1 组</translation>
    </message>
    <message>
        <source>%L1 state heads of %L2 do not make the inner width of %L3</source>
        <translation>%L1 个大小为 %L2 的状态头与内部宽度 %L3 不符</translation>
    </message>
    <message>
        <source>%L1 state heads of no given size do not make the inner width of %L2</source>
        <translation>%L1 个未给出大小的状态头与内部宽度 %L2 不符</translation>
    </message>
    <message>
        <source>(inner width %L1 + 2 × %2 × state size %L3)</source>
        <translation>（内部宽度 %L1 + 2 × %2 × 状态大小 %L3）</translation>
    </message>
    <message>
        <source>2 × width %L1 (token shift)</source>
        <translation>2 × 宽度 %L1（token shift）</translation>
    </message>
    <message>
        <source>inner width %L1</source>
        <translation>内部宽度 %L1</translation>
    </message>
    <message>
        <source>inner width %L1 × state size %L2</source>
        <translation>内部宽度 %L1 × 状态大小 %L2</translation>
    </message>
    <message>
        <source>groups of %L1 do not divide %L2 query heads</source>
        <translation>每组 %L1 个，不能整除 %L2 个查询头</translation>
    </message>
    <message>
        <source>hidden_size %L1 cannot be divided by %2, and no head_dim is given</source>
        <translation>hidden_size %L1 不能被 %2 整除，且没有给出 head_dim</translation>
    </message>
    <message>
        <source>(kernel %L1 − 1) × inner width %L2</source>
        <translation>（卷积核 %L1 − 1）× 内部宽度 %L2</translation>
    </message>
    <message>
        <source>%1 %L2 cannot be divided by the %L3 heads of %4, and no head_dim is given</source>
        <translation>%1 %L2 不能被 %4 的 %L3 个头整除，且没有给出 head_dim</translation>
    </message>
    <message>
        <source>%L1 KV heads cannot be shared evenly by %L2 query heads (%3)</source>
        <translation>%L2 个查询头不能平均共用 %L1 个 KV 头（%3）</translation>
    </message>
    <message>
        <source>not the %L1 of %2</source>
        <translation>不是 %2 的 %L1</translation>
    </message>
    <message>
        <source>a window of %L1 tokens is no window at a limit of %L2</source>
        <translation>在 %L2 的上限下，%L1 个 token 的窗口不起窗口的作用</translation>
    </message>
    <message>
        <source>on %L1 of %2, the others keep all</source>
        <translation>%2中有 %L1 层，其余的全部保留</translation>
    </message>
    <message>
        <source>the window of %L1 plays no part: use_sliding_window is false</source>
        <translation>窗口 %L1 不起作用：use_sliding_window 为 false</translation>
    </message>
    <message>
        <source>%1: expected a whole number of 0 or more, found %L2</source>
        <translation>%1：应为不小于 0 的整数，实际是 %L2</translation>
    </message>
    <message>
        <source>%1: expected a whole number of 1 or more, found %L2</source>
        <translation>%1：应为不小于 1 的整数，实际是 %L2</translation>
    </message>
    <message>
        <source>The context of %L1 tokens is beyond the model&apos;s own limit of %L2; it is planned all the same</source>
        <translation>%L1 个 token 的上下文超过模型自身的上限 %L2；仍照此规划</translation>
    </message>
    <message>
        <source>The draft model&apos;s vocabulary of %L1 is not the model&apos;s %L2: engines start only where the two agree</source>
        <translation>草稿模型的词表 %L1 与主模型的 %L2 不同：只有两者一致引擎才启动</translation>
    </message>
    <message>
        <source>hardware.count is %L1, but parallel says tp %L2 × pp %L3 × dp %L4 = %L5 GPUs; make the two agree</source>
        <translation>hardware.count 是 %L1，而 parallel 为 tp %L2 × pp %L3 × dp %L4 = %L5 个 GPU；请使两者一致</translation>
    </message>
    <message>
        <source>hardware.count is %L1, but parallel says tp %L2 × pp %L3, dp inside tp = %L4 GPUs; make the two agree</source>
        <translation>hardware.count 是 %L1，而 parallel 为 tp %L2 × pp %L3（dp 在 tp 之内）= %L4 个 GPU；请使两者一致</translation>
    </message>
    <message>
        <source>hardware.devices names %L1 cards, but parallel says %L2; make the two agree</source>
        <translation>hardware.devices 列出 %L1 张卡，而 parallel 为 %L2；请使两者一致</translation>
    </message>
    <message>
        <source>hardware.devices: at most %L1 GPUs are planned</source>
        <translation>hardware.devices：最多规划 %L1 个 GPU</translation>
    </message>
    <message>
        <source>parallel.pp: %L1 pipeline stages for %L2 layers leave GPUs without a layer; no engine starts so</source>
        <translation>parallel.pp：%L2 层分成 %L1 个流水线级，会有 GPU 分不到层；没有引擎会这样启动</translation>
    </message>
    <message>
        <source>workload.shared_prefix: %L1 tokens are more than the context of %L2, which the prefix is a part of</source>
        <translation>workload.shared_prefix：%L1 个 token 多于 %L2 的上下文，而前缀是上下文的一部分</translation>
    </message>
    <message>
        <source>%1 is %L2</source>
        <translation>%1是%L2</translation>
    </message>
    <message>
        <source>%1 keep at most %L2 tokens</source>
        <translation>%1：最多保留 %L2 个 token</translation>
    </message>
    <message>
        <source>%1 keeps at most %L2 tokens</source>
        <translation>%1：最多保留 %L2 个 token</translation>
    </message>
    <message>
        <source>%L1 %2 layer</source>
        <translation>%L1 层 %2</translation>
    </message>
    <message>
        <source>%L1 %2 layers</source>
        <translation>%L1 层 %2</translation>
    </message>
    <message>
        <source>One sequence of %L1 token</source>
        <translation>一个 %L1 个 token 的序列</translation>
    </message>
    <message>
        <source>One sequence of %L1 tokens</source>
        <translation>一个 %L1 个 token 的序列</translation>
    </message>
    <message>
        <source>Room for KV on %L1 GPU</source>
        <translation>%L1 个 GPU 上留给 KV 的空间</translation>
    </message>
    <message>
        <source>Room for KV on %L1 GPUs</source>
        <translation>%L1 个 GPU 上留给 KV 的空间</translation>
    </message>
    <message>
        <source>a prefix of %L1 tokens kept once a replica, the rest %L2 times</source>
        <translation>%L1 个 token 的前缀每个副本存一份，其余存 %L2 份</translation>
    </message>
    <message>
        <source>a prefix of %L1 tokens kept once, the rest %L2 times</source>
        <translation>%L1 个 token 的前缀存一份，其余存 %L2 份</translation>
    </message>
    <message>
        <source>a token, for the last %L1 tokens: %2 here</source>
        <translation>每 token，仅最后 %L1 个 token：此处为 %2</translation>
    </message>
    <message>
        <source>as %1 sets it aside on %L2 GPU</source>
        <translation>按 %1 在 %L2 个 GPU 上的预留方式</translation>
    </message>
    <message>
        <source>as %1 sets it aside on %L2 GPUs</source>
        <translation>按 %1 在 %L2 个 GPU 上的预留方式</translation>
    </message>
    <message>
        <source>of %L1 in all</source>
        <translation>共 %L1 层</translation>
    </message>
    <message>
        <source>→ %L1 sequence</source>
        <translation>→ %L1 个序列</translation>
    </message>
    <message>
        <source>→ %L1 sequences</source>
        <translation>→ %L1 个序列</translation>
    </message>
    <message>
        <source>%1 of %L2</source>
        <translation>每 %L2 次有 %1 次</translation>
    </message>
    <message>
        <source>%L1 slot</source>
        <translation>%L1 个槽位</translation>
    </message>
    <message>
        <source>%L1 slots</source>
        <translation>%L1 个槽位</translation>
    </message>
    <message>
        <source>%L1 token</source>
        <translation>%L1 个 token</translation>
    </message>
    <message>
        <source>%L1 tokens</source>
        <translation>%L1 个 token</translation>
    </message>
    <message>
        <source>By %L1 draws with the seed %L2; the chance is right within ± %3 of 100</source>
        <translation>抽样 %L1 次，种子 %L2；该概率的误差在 ± %3 / 100 以内</translation>
    </message>
    <message>
        <source>Planning with the mean of %1 says %L2</source>
        <translation>按平均 %1 规划，得出 %L2 个</translation>
    </message>
    <message>
        <source>Planning with the mean of %1 says %L2 and is wrong %3</source>
        <translation>按平均 %1 规划，得出 %L2 个，%3出错</translation>
    </message>
    <message>
        <source>%1 · %L2 encoder tokens</source>
        <translation>%1 · %L2 个编码器 token</translation>
    </message>
    <message>
        <source>%1 · chunk %L2</source>
        <translation>%1 · 分块 %L2</translation>
    </message>
    <message>
        <source>%1 · window %L2</source>
        <translation>%1 · 窗口 %L2</translation>
    </message>
    <message>
        <source>%L1 KV head × %L2</source>
        <translation>%L1 个 KV 头 × %L2</translation>
    </message>
    <message>
        <source>%L1 KV heads × %L2</source>
        <translation>%L1 个 KV 头 × %L2</translation>
    </message>
    <message>
        <source>an entry for %L1 tokens</source>
        <translation>每 %L1 个 token 一个条目</translation>
    </message>
    <message>
        <source>and %L1</source>
        <translation>和 %L1</translation>
    </message>
    <message>
        <source>index key %L1</source>
        <translation>索引键 %L1</translation>
    </message>
    <message>
        <source>latent %L1 + %L2</source>
        <translation>潜向量 %L1 + %L2</translation>
    </message>
    <message>
        <source>layer %L1 of %L2</source>
        <translation>第 %L1 层，共 %L2 层</translation>
    </message>
    <message>
        <source>that of layer %L1</source>
        <translation>第 %L1 层的缓存</translation>
    </message>
    <message>
        <source>window %L1</source>
        <translation>窗口 %L1</translation>
    </message>
    <message>
        <source>%L1 more GPUs</source>
        <translation>增加 %L1 个 GPU</translation>
    </message>
    <message>
        <source>A context of %L1 tokens</source>
        <translation>上下文 %L1 个 token</translation>
    </message>
    <message>
        <source>Decode context parallel %L1</source>
        <translation>解码上下文并行 %L1</translation>
    </message>
    <message>
        <source>Only %L1 sequence at a time</source>
        <translation>同时只运行 %L1 个序列</translation>
    </message>
    <message>
        <source>Only %L1 sequences at a time</source>
        <translation>同时只运行 %L1 个序列</translation>
    </message>
    <message>
        <source>The context cut at p99, %L1 tokens</source>
        <translation>上下文截断到 p99，%L1 个 token</translation>
    </message>
    <message>
        <source>The first %L1 tokens shared by all</source>
        <translation>前 %L1 个 token 由所有序列共享</translation>
    </message>
    <message>
        <source>%L1 query heads in the place of %L2 KV heads</source>
        <translation>用 %L1 个查询头代替 %L2 个 KV 头</translation>
    </message>
    <message>
        <source>all %L1 layers counted as attention</source>
        <translation>把全部 %L1 层都当作注意力层</translation>
    </message>
    <message>
        <source>head dim taken as %L1 ÷ %L2 = %L3</source>
        <translation>头维度取 %L1 ÷ %L2 = %L3</translation>
    </message>
    <message>
        <source>alike cards: %L1 × %2</source>
        <translation>相同的卡：%L1 × %2</translation>
    </message>
    <message>
        <source>context %L1</source>
        <translation>上下文 %L1</translation>
    </message>
    <message>
        <source>shared prefix %L1</source>
        <translation>共享前缀 %L1</translation>
    </message>
    <message>
        <source>%1, DP %L2 inside it</source>
        <translation>%1，其中 DP %L2</translation>
    </message>
    <message>
        <source>%L1 do</source>
        <translation>最多放得下 %L1 个</translation>
    </message>
    <message>
        <source>%L1 does</source>
        <translation>最多放得下 %L1 个</translation>
    </message>
    <message>
        <source>%L1 sequence fits</source>
        <translation>放得下 %L1 个序列</translation>
    </message>
    <message>
        <source>%L1 sequences fit</source>
        <translation>放得下 %L1 个序列</translation>
    </message>
    <message>
        <source>That is with each at the whole context; of the requests half have up to %L1 tokens, 99 of 100 up to %L2</source>
        <translation>以上按每个序列都占满上下文计算；请求中一半不超过 %L1 个 token，100 个中有 99 个不超过 %L2</translation>
    </message>
    <message>
        <source>a %1 cache would hold %L2</source>
        <translation>改用 %1 缓存可放 %L2 个</translation>
    </message>
    <message>
        <source>an %1 cache would hold %L2</source>
        <translation>改用 %1 缓存可放 %L2 个</translation>
    </message>
    <message>
        <source>%L1, in 99 of 100 cases</source>
        <translation>%L1，100 次中有 99 次</translation>
    </message>
    <message>
        <source>%L1, of which %L2 may be down</source>
        <translation>%L1，其中可失效 %L2</translation>
    </message>
    <message>
        <source>Headroom, %L1 down</source>
        <translation>余量（%L1 个失效）</translation>
    </message>
    <message>
        <source>tp %L1 × pp %L2 × dp %L3</source>
        <translation>tp %L1 × pp %L2 × dp %L3</translation>
    </message>
    <message>
        <source>%1, tp %L2 × pp %L3 × dp %L4</source>
        <translation>%1，tp %L2 × pp %L3 × dp %L4</translation>
    </message>
    <message>
        <source>%L1 sequence of %L2 token</source>
        <translation>%L1 个 %L2 个 token 的序列</translation>
    </message>
    <message>
        <source>%L1 sequence of %L2 tokens</source>
        <translation>%L1 个 %L2 个 token 的序列</translation>
    </message>
    <message>
        <source>%L1 sequences of %L2 token</source>
        <translation>%L1 个 %L2 个 token 的序列</translation>
    </message>
    <message>
        <source>%L1 sequences of %L2 tokens</source>
        <translation>%L1 个 %L2 个 token 的序列</translation>
    </message>
    <message>
        <source>%L1 shared</source>
        <translation>共享 %L1</translation>
    </message>
    <message>
        <source>%1 %L2 bit, group %L3</source>
        <translation>%1 %L2 bit，每组 %L3</translation>
    </message>
    <message>
        <source>%1 %L2 bit, one group a row</source>
        <translation>%1 %L2 bit，每行一组</translation>
    </message>
    <message>
        <source>FP8 blocks %L1 × %L2</source>
        <translation>FP8，分块 %L1 × %L2</translation>
    </message>
    <message>
        <source>%1 cache on %L2 GPUs, %3</source>
        <translation>%L2 个 GPU 上用 %1 缓存，%3</translation>
    </message>
    <message>
        <source>%L1 GPU</source>
        <translation>%L1 个 GPU</translation>
    </message>
    <message>
        <source>%L1 GPUs</source>
        <translation>%L1 个 GPU</translation>
    </message>
    <message>
        <source>%L1 GPUs, %2</source>
        <translation>%L1 个 GPU，%2</translation>
    </message>
    <message>
        <source>%L1 KV heads × %L2 and %L3</source>
        <translation>%L1 个 KV 头 × %L2 和 %L3</translation>
    </message>
    <message>
        <source>%L1 bit</source>
        <translation>%L1 bit</translation>
    </message>
    <message>
        <source>%L1 more GPU</source>
        <translation>增加 %L1 个 GPU</translation>
    </message>
    <message>
        <source>%L1 sequence fits in all</source>
        <translation>共放得下 %L1 个序列</translation>
    </message>
    <message>
        <source>%L1 sequence fits with up to %L2 tokens</source>
        <translation>%L1 个序列在每个最多 %L2 个 token 时放得下</translation>
    </message>
    <message>
        <source>%L1 sequences fit in all</source>
        <translation>共放得下 %L1 个序列</translation>
    </message>
    <message>
        <source>%L1 sequences fit with up to %L2 tokens</source>
        <translation>%L1 个序列在每个最多 %L2 个 token 时放得下</translation>
    </message>
    <message>
        <source>= %1 → %L2 sequence</source>
        <translation>= %1 → %L2 个序列</translation>
    </message>
    <message>
        <source>= %1 → %L2 sequences</source>
        <translation>= %1 → %L2 个序列</translation>
    </message>
    <message>
        <source>A %L1nd</source>
        <translation>第 %L1 个</translation>
    </message>
    <message>
        <source>A %L1rd</source>
        <translation>第 %L1 个</translation>
    </message>
    <message>
        <source>A %L1st</source>
        <translation>第 %L1 个</translation>
    </message>
    <message>
        <source>A %L1th</source>
        <translation>第 %L1 个</translation>
    </message>
    <message>
        <source>An %L1nd</source>
        <translation>第 %L1 个</translation>
    </message>
    <message>
        <source>An %L1rd</source>
        <translation>第 %L1 个</translation>
    </message>
    <message>
        <source>An %L1st</source>
        <translation>第 %L1 个</translation>
    </message>
    <message>
        <source>An %L1th</source>
        <translation>第 %L1 个</translation>
    </message>
    <message>
        <source>not %1 = %L2</source>
        <translation>不是 %1 = %L2</translation>
    </message>
    <message>
        <source>Q8_0 keys with Q4_0 values</source>
        <translation>键用 Q8_0，值用 Q4_0</translation>
    </message>
    <message>
        <source>%1 is missing</source>
        <translation>缺少 %1</translation>
    </message>
    <message>
        <source>not known here and not read, although the name sounds as if it could change what is cached: %1</source>
        <translation>在此未知且未读取，尽管从名称看可能影响缓存内容：%1</translation>
    </message>
    <message>
        <source>there is no lesson of that name</source>
        <translation>没有这个名称的课程</translation>
    </message>
    <message>
        <source>the draft model is being read; the plan is made when it is there</source>
        <translation>正在读取草稿模型；读完后即给出规划</translation>
    </message>
    <message>
        <source>weights or a cache lie in the host&apos;s memory, whose size was not given</source>
        <translation>权重或缓存放在主机内存中，而主机内存大小未给出</translation>
    </message>
    <message>
        <source>%1: the draft model &quot;%2&quot; is being read</source>
        <translation>%1：正在读取草稿模型“%2”</translation>
    </message>
    <message>
        <source>Tokens that the room holds</source>
        <translation>可容纳的 token 数</translation>
    </message>
    <message>
        <source>The host has %1 for weights and cache, and %2 are to lie there</source>
        <translation>主机可用于权重和缓存的内存为 %1，而要放入 %2</translation>
    </message>
    <message>
        <source>The host&apos;s memory takes %1 of weights and cache, and whether it has them is not checked: give what it has as host_memory_bytes</source>
        <translation>主机内存要放 %1 的权重和缓存，是否足够未作检查：请用 host_memory_bytes 给出主机内存大小</translation>
    </message>
    <message>
        <source>Tokens of the cells set up (n_ctx)</source>
        <translation>已设置的单元 token 数（n_ctx）</translation>
    </message>
    <message>
        <source>memory of the host for the weights and caches that stay there</source>
        <translation>主机上可用于所留权重和缓存的内存</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>不检查</translation>
    </message>
    <message>
        <source>engine.options.max_lora_rank: vLLM takes 1, 8, 16, 32, 64, 128, 256, 320 or 512, found %L1; take %L2, which holds adapters of smaller ranks</source>
        <translation>engine.options.max_lora_rank：vLLM 只接受 1、8、16、32、64、128、256、320 或 512，当前为 %L1；请取 %L2，它也能容纳更小秩的适配器</translation>
    </message>
    <message>
        <source>%1 more of the host&apos;s memory</source>
        <translation>主机内存再占 %1</translation>
    </message>
    <message>
        <source>and %1 more of the host&apos;s memory</source>
        <translation>且主机内存再占 %1</translation>
    </message>
    <message>
        <source>But no engine would start with this split of the model</source>
        <translation>但没有引擎能以这种切分启动</translation>
    </message>
    <message>
        <source>But the engine would not start with a cache of this type on these cards</source>
        <translation>但该引擎在这些卡上无法以这种缓存类型启动</translation>
    </message>
    <message>
        <source>none, or not known</source>
        <translation>无，或未知</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>a fraction from 0 to 1 such as 0.92</source>
        <translation>0 到 1 之间的小数，例如 0.92</translation>
    </message>
    <message>
        <source>a ratio of 0 or more such as 0.8</source>
        <translation>不小于 0 的比值，例如 0.8</translation>
    </message>
    <message>
        <source>no such figure</source>
        <translation>没有这个数值</translation>
    </message>
    <message>
        <source>a launch line without a length: the model&apos;s own limit is planned</source>
        <translation>启动命令没有给出长度：按模型自身的上限规划</translation>
    </message>
    <message>
        <source>a size below 1 MiB, most likely typed without its unit</source>
        <translation>小于 1 MiB 的大小，很可能漏写了单位</translation>
    </message>
    <message>
        <source>steps of more tokens than all sequences can hold</source>
        <translation>每步的 token 多于所有序列能容纳的数量</translation>
    </message>
    <message>
        <source>the engine does not run on these cards</source>
        <translation>该引擎不能在这些卡上运行</translation>
    </message>
    <message>
        <source>the engine runs on these cards by a project of its own, whose rules are not known</source>
        <translation>该引擎靠另一个独立项目在这些卡上运行，其规则未知</translation>
    </message>
    <message>
        <source>what a launch line does not say, and was assumed</source>
        <translation>启动命令没有说明、由程序假定的内容</translation>
    </message>
    <message>
        <source>%1: %2 takes powers of two, found %L3; next to it: %4</source>
        <translation>%1：%2 只接受 2 的幂，却是 %L3；与之相邻：%4</translation>
    </message>
    <message>
        <source>%1: expected a whole number of %L2 or more, found %L3</source>
        <translation>%1：应为不小于 %L2 的整数，却是 %L3</translation>
    </message>
    <message>
        <source>%L1 or %L2</source>
        <translation>%L1 或 %L2</translation>
    </message>
    <message>
        <source>%1 alone does not run on %2: %3 does, a project of its own, whose rules are not known here. It is counted as on NVIDIA&apos;s cards</source>
        <translation>%1 本身不能在 %2 上运行：要靠独立项目 %3，其规则在此未知。按 NVIDIA 的卡计算</translation>
    </message>
    <message>
        <source>%1 does not run on %2: it has nothing for cards of %3. It is planned all the same; choose another engine or card</source>
        <translation>%1 不能在 %2 上运行：它不支持 %3 的卡。仍照此规划；请换一个引擎或一种卡</translation>
    </message>
    <message>
        <source>A model over %L1 MIG slices: a process sees one slice, and slices have no path to each other, which NCCL needs; no engine starts so. It is planned all the same; take whole cards, or one replica on each slice (dp)</source>
        <translation>模型分布在 %L1 个 MIG 切片上：一个进程只能看到一个切片，切片之间没有 NCCL 所需的通路；没有引擎会这样启动。仍照此规划；请使用整卡，或在每个切片上放一个副本（dp）</translation>
    </message>
    <message>
        <source>max_cache_len is a static cache&apos;s length: a dynamic cache grows with its tokens, and it has no effect</source>
        <translation>max_cache_len 是静态缓存的长度：动态缓存随 token 增长，它不起作用</translation>
    </message>
    <message>
        <source>max_num_batched_tokens, %L1, is more than all sequences can hold, max_num_seqs × max_model_len = %L2: activations are planned for steps that never come; lower it</source>
        <translation>max_num_batched_tokens 为 %L1，多于所有序列能容纳的 max_num_seqs × max_model_len = %L2：激活值按永远不会出现的步规划；请调低它</translation>
    </message>
    <message>
        <source>hardware.display_bytes: expected at most the GPU&apos;s %1, found %2 for a display; give what the desktop really takes, such as 1GB</source>
        <translation>hardware.display_bytes：最多为 GPU 的 %1，却给显示留出 %2；请给出桌面实际占用的大小，例如 1GB</translation>
    </message>
    <message>
        <source>workload.context: expected 1 token or more, found 0: no engine serves a request of none</source>
        <translation>workload.context：应为 1 个 token 或更多，却是 0：没有引擎会处理空请求</translation>
    </message>
    <message>
        <source>%L1 of %L2</source>
        <translation>每 %L2 次有 %L1 次</translation>
    </message>
    <message>
        <source>But the engine does not run on these cards</source>
        <translation>但该引擎不能在这些卡上运行</translation>
    </message>
    <message>
        <source>%1: planned with %L2 B, less than 1 MiB; if another unit is meant, write it, as 80GB or 80GiB</source>
        <translation>%1：按 %L2 B 规划，不足 1 MiB；若指其他单位，请写明，如 80GB 或 80GiB</translation>
    </message>
    <message>
        <source>%1 with up to %L2 token</source>
        <translation>%1，每个最多 %L2 个 token</translation>
    </message>
    <message>
        <source>%1 with up to %L2 tokens</source>
        <translation>%1，每个最多 %L2 个 token</translation>
    </message>
    <message>
        <source>%L1 sequence fits with up to %L2 token</source>
        <translation>%L1 个序列在每个最多 %L2 个 token 时放得下</translation>
    </message>
    <message>
        <source>%L1 sequences fit with up to %L2 token</source>
        <translation>%L1 个序列在每个最多 %L2 个 token 时放得下</translation>
    </message>
    <message>
        <source>a checkpoint in a type that GGUF does not hold is planned as converted to 16 bit</source>
        <translation>检查点的类型 GGUF 不支持，按转换为 16 位规划</translation>
    </message>
    <message>
        <source>Not one sequence fits, so that none is decoded</source>
        <translation>一个序列也放不下，因此没有解码</translation>
    </message>
    <message>
        <source>There is no sequence to decode</source>
        <translation>没有要解码的序列</translation>
    </message>
    <message>
        <source>GGUF files hold no %1: the converter makes 16 bit of this checkpoint, %2; choose a type of GGUF (weights.dtype) for a smaller file</source>
        <translation>GGUF 文件不支持 %1：转换器会把该检查点转成 16 位，共 %2；如需更小的文件，请选择 GGUF 的类型（weights.dtype）</translation>
    </message>
    <message>
        <source>weights.dtype: %1 reads GGUF files, which hold no %2; take %3</source>
        <translation>weights.dtype：%1 读取 GGUF 文件，其中不支持 %2；可用 %3</translation>
    </message>
    <message>
        <source>another server, and its activations come on top</source>
        <translation>换一种服务程序，且激活另计</translation>
    </message>
    <message>
        <source>%1 of weights are %2 more than the memory it has</source>
        <translation>权重 %1，超出其显存 %2</translation>
    </message>
    <message>
        <source>%1 of weights on the fullest GPU are %2 more than the memory it has</source>
        <translation>最满的 GPU 上权重 %1，超出其显存 %2</translation>
    </message>
    <message>
        <source>No room for a cache is left on %1</source>
        <translation>在 %1 上没有给缓存留下空间</translation>
    </message>
    <message>
        <source>Of %1 on the fullest GPU weights take %2, the engine withholds %3 and %4 go to its own buffers: %5 too much</source>
        <translation>在最满的 GPU 的 %1 中，权重占 %2，引擎保留 %3，另有 %4 用作其自身缓冲区：超出 %5</translation>
    </message>
    <message>
        <source>Of %1 weights take %2, the engine withholds %3 and %4 go to its own buffers: %5 too much</source>
        <translation>在 %1 中，权重占 %2，引擎保留 %3，另有 %4 用作其自身缓冲区：超出 %5</translation>
    </message>
    <message>
        <source>Some are longer than the context: a server would refuse those or cut them</source>
        <translation>有些请求长于上下文：服务器会拒绝或截断它们</translation>
    </message>
    <message>
        <source>%L1, for which it takes %L2 deployment</source>
        <translation>%L1，需要 %L2 套部署</translation>
    </message>
    <message>
        <source>%L1, for which it takes %L2 deployments</source>
        <translation>%L1，需要 %L2 套部署</translation>
    </message>
    <message>
        <source>Carries on average at most</source>
        <translation>平均最多承载</translation>
    </message>
    <message>
        <source>In 99 of 100 moments, arriving at random</source>
        <translation>随机到达时，100 个时刻中有 99 个不超过</translation>
    </message>
    <message>
        <source>Sequences in flight, on average</source>
        <translation>平均在途序列数</translation>
    </message>
    <message>
        <source>a mode of the state cache that prefix caching, or what the model can, overrules</source>
        <translation>状态缓存的模式，被前缀缓存或模型的能力所取代</translation>
    </message>
    <message>
        <source>requests of a trace with an output of 0 tokens, which may have failed</source>
        <translation>跟踪中输出为 0 个 token 的请求，可能已失败</translation>
    </message>
    <message>
        <source>With prefix caching vLLM keeps the states of this model as mamba_cache_mode align does, and so it is counted</source>
        <translation>启用前缀缓存时，vLLM 按 mamba_cache_mode align 的方式保存该模型的状态，并按此计算</translation>
    </message>
    <message>
        <source>With prefix caching vLLM keeps the states of this model as mamba_cache_mode all does, and so it is counted</source>
        <translation>启用前缀缓存时，vLLM 按 mamba_cache_mode all 的方式保存该模型的状态，并按此计算</translation>
    </message>
    <message>
        <source>%1: %L2 request has an output of 0 tokens and may have failed; counted by the input alone</source>
        <translation>%1：%L2 个请求的输出为 0 个 token，可能已失败；仅按输入计算</translation>
    </message>
    <message>
        <source>%1: %L2 requests have an output of 0 tokens and may have failed; counted by the input alone</source>
        <translation>%1：%L2 个请求的输出为 0 个 token，可能已失败；仅按输入计算</translation>
    </message>
    <message>
        <source>%1: %L2 row with an empty or missing length left out, the first in line %L3</source>
        <translation>%1：略去 %L2 行长度为空或缺失的记录，首个在第 %L3 行</translation>
    </message>
    <message>
        <source>%1: %L2 rows with an empty or missing length left out, the first in line %L3</source>
        <translation>%1：略去 %L2 行长度为空或缺失的记录，首个在第 %L3 行</translation>
    </message>
    <message>
        <source>%1: lengths above a million tokens are of too many sizes and rounded up to a thousandth</source>
        <translation>%1：超过一百万 token 的长度种类过多，已按千分之一向上取整</translation>
    </message>
    <message>
        <source>a launch line asks for the longest length that fits</source>
        <translation>启动命令要求放得下的最长长度</translation>
    </message>
    <message>
        <source>heads that draft are asked for whose weights are not known</source>
        <translation>要求使用草稿头，但其权重未知</translation>
    </message>
    <message>
        <source>%1 would do by an odd split, %2</source>
        <translation>若采用不常见的切分 %2，%1就够</translation>
    </message>
    <message>
        <source>%L1 (%2); %L3 by an odd split</source>
        <translation>%L1（%2）；不常见的切分只需 %L3</translation>
    </message>
    <message>
        <source>It takes %1 of this kind; %L2 by an odd split</source>
        <translation>需要 %1 这样的卡；不常见的切分只需 %L2</translation>
    </message>
    <message>
        <source>NF4 (bitsandbytes)</source>
        <translation>NF4（bitsandbytes）</translation>
    </message>
    <message>
        <source>Fewest GPUs</source>
        <translation>最少 GPU 数</translation>
    </message>
    <message>
        <source>%1 keep an entry for every %L2 tokens</source>
        <translation>%1每 %L2 个 token 保留一个条目</translation>
    </message>
    <message>
        <source>%1 keeps an entry for every %L2 tokens</source>
        <translation>%1每 %L2 个 token 保留一个条目</translation>
    </message>
    <message>
        <source>a token while the window fills, entries alone behind it: %1 here</source>
        <translation>每个 token，窗口填满之前；之后只有条目：此处共 %1</translation>
    </message>
    <message>
        <source>and a state: %L1 × %L2 × %3 = %4</source>
        <translation>另有状态：%L1 × %L2 × %3 = %4</translation>
    </message>
    <message>
        <source>The model was made for up to %1</source>
        <translation>该模型的设计上限为 %1</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个 token</translation>
    </message>
    <message>
        <source>%1, longest %L2 tokens</source>
        <translation>%1，最长 %L2 个 token</translation>
    </message>
    <message>
        <source>%L1 request of a trace</source>
        <translation>跟踪中的 %L1 个请求</translation>
    </message>
    <message>
        <source>%L1 requests of a trace</source>
        <translation>跟踪中的 %L1 个请求</translation>
    </message>
    <message>
        <source>a mix of classes</source>
        <translation>多类请求混合</translation>
    </message>
    <message>
        <source>lengths: %1</source>
        <translation>长度：%1</translation>
    </message>
    <message>
        <source>through p50, p90 and p99</source>
        <translation>由 p50、p90 和 p99 给出</translation>
    </message>
    <message>
        <source>%1 keep an entry for every %L2 tokens beside the last %L3 tokens</source>
        <translation>%1除最近 %L3 个 token 外，每 %L2 个 token 保留一个条目</translation>
    </message>
    <message>
        <source>%1 keeps an entry for every %L2 tokens beside the last %L3 tokens</source>
        <translation>%1除最近 %L3 个 token 外，每 %L2 个 token 保留一个条目</translation>
    </message>
    <message>
        <source>copies of states that drafting keeps are not planned</source>
        <translation>草稿推测所保留的状态副本未计入规划</translation>
    </message>
    <message>
        <source>While it drafts SGLang keeps a copy of a request&apos;s states for every drafted token; these are not planned, so that less room is left than shown</source>
        <translation>SGLang 在推测解码时为每个草稿 token 保留一份请求状态的副本；这些未计入规划，实际剩余空间比所示更少</translation>
    </message>
    <message>
        <source>SGLang deals the %L1 KV heads evenly over the GPUs, or copies each evenly; %L2 GPUs neither divide them nor are a multiple</source>
        <translation>SGLang 将 %L1 个 KV 头均分到各 GPU，或均匀复制每个头；%L2 个 GPU 既不能整除也不是其倍数</translation>
    </message>
    <message>
        <source>While it drafts TensorRT-LLM keeps a copy of a request&apos;s states for every drafted token; these are not planned, so that less room is left than shown</source>
        <translation>TensorRT-LLM 在推测解码时为每个草稿 token 保留一份请求状态的副本；这些未计入规划，实际剩余空间比所示更少</translation>
    </message>
    <message>
        <source>a file among one&apos;s own lessons is none, and is left out</source>
        <translation>自己的课程文件夹中有一个文件不是有效的课程，已略过</translation>
    </message>
    <message>
        <source>Drag the context to 131,072: the model fills little more than a third of the card, and yet how many such chats does it hold?</source>
        <translation>把上下文拖到 131,072：模型只占这张卡的三分之一多一点，可是能放几个这样的对话？</translation>
    </message>
    <message>
        <source>A plan that took the 64 heads of this config says 2.6 MB a token. What does one token really cost?</source>
        <translation>有人用了这个 config 中的 64 个头来规划，得出每个 token 2.6 MB。一个 token 其实要多少？</translation>
    </message>
    <message>
        <source>How much of its memory the system leaves to the GPU of %1 is not known: counted are all %2, while two thirds to nine tenths are usual; give hardware.memory_bytes</source>
        <translation>系统把多少内存留给 %1 的 GPU 尚不清楚：按全部 %2 计算，而通常为三分之二到十分之九；请给出 hardware.memory_bytes</translation>
    </message>
    <message>
        <source>sequences of no tokens</source>
        <translation>没有 token 的序列</translation>
    </message>
    <message>
        <source>workload.context: the cells of all slots are out of range: they exceed 2^63 − 1</source>
        <translation>workload.context：所有槽位的单元数超出范围：超过 2^63 − 1</translation>
    </message>
    <message>
        <source>%1: %L2 GPUs are out of range; at most %L3 are planned</source>
        <translation>%1：%L2 个 GPU 超出范围；最多规划 %L3 个</translation>
    </message>
    <message>
        <source>Sequences of 0 tokens cache nothing: how many of them fit says nothing about users</source>
        <translation>0 个 token 的序列不缓存任何内容：能容纳多少个这样的序列，与用户数无关</translation>
    </message>
    <message>
        <source>the config names no class; the one that its model type usually has is taken</source>
        <translation>配置未写明类；按其模型类型通常对应的类计算</translation>
    </message>
    <message>
        <source>kv: a quantised cache has blocks of 32, which do not divide this model&apos;s K rows of %L1 numbers; take f16, bf16 or f32 for the kv types</source>
        <translation>kv：量化缓存以 32 个为一块，而该模型的 K 行有 %L1 个数，不能整除；请为 kv 类型选用 f16、bf16 或 f32</translation>
    </message>
    <message>
        <source>The config names no architectures, without which llama.cpp&apos;s converter does nothing: counted as the class that model_type %1 usually is</source>
        <translation>配置未给出 architectures，而 llama.cpp 的转换器没有它就不工作：按 model_type %1 通常对应的类计算</translation>
    </message>
    <message>
        <source>a config without architectures and model_type</source>
        <translation>没有 architectures 和 model_type 的配置</translation>
    </message>
    <message>
        <source>engine.id: llama.cpp&apos;s converter stops at %1, which the config does not give%2; count it like another engine, or open a GGUF file of it</source>
        <translation>engine.id：llama.cpp 的转换器在 %1 处停止，配置没有给出它%2；请按其他引擎计算，或打开它的 GGUF 文件</translation>
    </message>
    <message>
        <source>the class default of vision_config.seq_len</source>
        <translation>vision_config.seq_len 的类默认值</translation>
    </message>
    <message>
        <source>the encoder&apos;s patches, %L1 × %L2 + 1</source>
        <translation>编码器的图块，%L1 × %L2 + 1</translation>
    </message>
    <message>
        <source>%L1 caches of layers and their runs are out of range: at most %L2</source>
        <translation>各层及其各次运行共 %L1 份缓存，超出范围：最多 %L2</translation>
    </message>
    <message>
        <source>%L1 is neither the %2 of one stack (%3) nor the %L4 caches of H_cycles × (L_cycles + 1) runs of it</source>
        <translation>%L1 既不是一个堆栈的 %2（%3），也不是它运行 H_cycles × (L_cycles + 1) 次的 %L4 份缓存</translation>
    </message>
    <message>
        <source>2 stacks × %1 %L2</source>
        <translation>2 个堆栈 × %1 %L2</translation>
    </message>
    <message>
        <source>each is run %L1 times (%2) and keeps a cache of each run</source>
        <translation>每层运行 %L1 次（%2），每次运行各保留一份缓存</translation>
    </message>
    <message>
        <source>those of one stack are run %L1 times, of the other %L2 times, and keep a cache of each run</source>
        <translation>一个堆栈的层运行 %L1 次，另一个的运行 %L2 次，每次运行各保留一份缓存</translation>
    </message>
    <message>
        <source>%L1 runs</source>
        <translation>运行 %L1 次</translation>
    </message>
    <message>
        <source>the file stores no zeros of its sparse matrices (&quot;%1&quot;), and that is not counted: the bytes of the weights are an upper bound</source>
        <translation>文件不存储稀疏矩阵中的零（“%1”），此处未计入：权重的字节数是上限</translation>
    </message>
    <message>
        <source>the pattern &quot;%1&quot; of the modules that are quantised apart or not at all was not understood and counts as naming nothing</source>
        <translation>单独量化或不量化的模块的模式“%1”无法理解，按未指明任何模块处理</translation>
    </message>
    <message>
        <source>%1 of the modules %2</source>
        <translation>模块 %2 的 %1</translation>
    </message>
    <message>
        <source>GPTQ dynamic %1</source>
        <translation>GPTQ dynamic %1</translation>
    </message>
    <message>
        <source>a trace has a total that is not input and output together</source>
        <translation>trace 中的总数并非输入与输出之和</translation>
    </message>
    <message>
        <source>a trace names tokens apart that its API leaves out of input or output; they are added</source>
        <translation>trace 单独列出了其 API 没有算进输入或输出的 token；已经加上</translation>
    </message>
    <message>
        <source>one process says a figure of a log twice with no start between; the last counts</source>
        <translation>同一进程在日志中两次给出同一数值，其间没有重新启动；以最后一次为准</translation>
    </message>
    <message>
        <source>The log names unlike cards, and &quot;%1&quot; is not known here: all are planned as %2</source>
        <translation>日志列出了不同的卡，而这里不认识“%1”：全部按 %2 规划</translation>
    </message>
    <message>
        <source>The server keeps %1 GiB of the weights in the host&apos;s memory (cpu_offload_gb): the plan keeps them all on the GPUs</source>
        <translation>该服务把 %1 GiB 权重放在主机内存中（cpu_offload_gb）：规划把权重全部放在 GPU 上</translation>
    </message>
    <message>
        <source>The server loads a projector for images or sound of %1 with its buffers: it is not in the plan</source>
        <translation>该服务加载了用于图像或声音的投影器，连同缓冲区共 %1：不在规划中</translation>
    </message>
    <message>
        <source>The server was given its number of blocks, num_gpu_blocks_override = %L1, whatever the memory: the plan counts them from the memory</source>
        <translation>该服务的块数由 num_gpu_blocks_override = %L1 指定，与显存无关：规划按显存计算块数</translation>
    </message>
    <message>
        <source>The server drafts with &quot;%1&quot;, which is no model known here: it is not in the plan; give draft_model to count it</source>
        <translation>该服务用“%1”作草稿模型，这里不认识它：不在规划中；给出 draft_model 即可计入</translation>
    </message>
    <message>
        <source>The server loads a projector for images or sound: it is not in the plan</source>
        <translation>该服务加载了用于图像或声音的投影器：不在规划中</translation>
    </message>
    <message>
        <source>How SGLang stores the index keys beside this model&apos;s attention is not known for certain; they are counted in 16 bit</source>
        <translation>SGLang 如何在该模型的注意力之外存放索引键尚不确定；按 16 位计算</translation>
    </message>
    <message>
        <source>the encoder&apos;s patches, %L1 × %L2</source>
        <translation>编码器的图块，%L1 × %L2</translation>
    </message>
    <message>
        <source>memory that the engine may set aside for prefill graphs is not counted</source>
        <translation>引擎可能为预填充图预留的内存未计入</translation>
    </message>
    <message>
        <source>Where SGLang captures prefill graphs of a latent model, its default share is less by 1.5 GiB; they are not counted: give mem_fraction_static as the server prints it</source>
        <translation>若 SGLang 为潜在注意力模型捕获预填充图，其默认份额会少 1.5 GiB；此处未计入：请按服务器打印的值给出 mem_fraction_static</translation>
    </message>
    <message>
        <source>The model that drafts, &quot;%1&quot;, counts in 16 bit, whatever its file holds</source>
        <translation>起草用的模型“%1”按 16 位计算，无论其文件如何存储</translation>
    </message>
    <message>
        <source>llama.cpp&apos;s converter writes FP32 checkpoints in 16 bit</source>
        <translation>llama.cpp 的转换器把 FP32 检查点写成 16 位</translation>
    </message>
    <message>
        <source>SGLang runs FP32 checkpoints in 16 bit</source>
        <translation>SGLang 以 16 位运行 FP32 检查点</translation>
    </message>
    <message>
        <source>a GPU&apos;s slice of an expert cuts a block of FP8 weights, which the engine does not load</source>
        <translation>一块 GPU 分到的专家片段切开了 FP8 权重块，引擎无法加载</translation>
    </message>
    <message>
        <source>max_model_len, %L1, is more than the %L2 tokens that the model was made for: vLLM starts so only with VLLM_ALLOW_LONG_MAX_MODEL_LEN=1</source>
        <translation>max_model_len 为 %L1，超过模型所支持的 %L2 个 token：vLLM 只有设置 VLLM_ALLOW_LONG_MAX_MODEL_LEN=1 才能这样启动</translation>
    </message>
    <message>
        <source>vLLM does not load these weights: an expert&apos;s %L1 columns over %L2 GPUs cut an FP8 block of %L3; use expert parallelism or fewer GPUs</source>
        <translation>vLLM 无法加载这些权重：每个专家的 %L1 列分到 %L2 块 GPU 上会切开大小为 %L3 的 FP8 块；请使用专家并行或减少 GPU</translation>
    </message>
    <message>
        <source>the engine sizes the pool of window layers by the requests and what they draft, which is not planned</source>
        <translation>引擎按请求数及其草稿 token 数确定窗口层池的大小，此处未作规划</translation>
    </message>
    <message>
        <source>SGLang keeps the encoder&apos;s tokens before the text, so that sequences with other pictures or sounds share no prefix: it is kept for every sequence</source>
        <translation>SGLang 把编码器的 token 放在文本之前，因此图片或声音不同的序列不共享前缀：每个序列各存一份</translation>
    </message>
    <message>
        <source>With max_running_requests and without the radix cache SGLang sizes the window pool by the requests and the tokens that they draft; planned is its usual share, swa_full_tokens_ratio</source>
        <translation>设置 max_running_requests 且关闭 radix 缓存时，SGLang 按请求数及其草稿 token 数确定窗口池的大小；此处按其通常比例 swa_full_tokens_ratio 规划</translation>
    </message>
    <message>
        <source>The window pool of %L1 tokens, which max_running_requests sizes, leaves no memory for the full pool: SGLang refuses to start</source>
        <translation>窗口池由 max_running_requests 确定，有 %L1 个 token，没有给完整池留下显存：SGLang 拒绝启动</translation>
    </message>
    <message>
        <source>TensorRT-LLM takes windows from the model only where sliding layers stand beside others, and chunks never: layers whose window or chunk it does not take are kept at full length</source>
        <translation>TensorRT-LLM 仅在滑动窗口层与其他层并存时才采用模型的窗口，且从不采用分块：未采用其窗口或分块的层按全长保留</translation>
    </message>
    <message>
        <source>mamba_ssm_cache_dtype, else the model&apos;s</source>
        <translation>mamba_ssm_cache_dtype，否则取模型自身的类型</translation>
    </message>
    <message>
        <source>the model&apos;s own where only some layers slide</source>
        <translation>仅部分层为滑动窗口时取模型自身的窗口</translation>
    </message>
    <message>
        <source>a list of shares such as 3,1 or 0.75,0.25</source>
        <translation>份额列表，如 3,1 或 0.75,0.25</translation>
    </message>
    <message>
        <source>%1 would not start: its kernels for a cache in %2 need Blackwell, and %3 is %4. It is planned all the same</source>
        <translation>%1 无法启动：其 %2 缓存的内核需要 Blackwell，而 %3 是 %4。仍照此规划</translation>
    </message>
    <message>
        <source>%1 would not start: its kernels for a cache in %2 need server Blackwell, B200 and its kin, which %3 is not. It is planned all the same</source>
        <translation>%1 无法启动：%2 缓存的内核需要服务器级 Blackwell（B200 及同类），而 %3 不是。仍照此规划</translation>
    </message>
    <message>
        <source>the model was taken down</source>
        <translation>该模型已被撤下</translation>
    </message>
    <message>
        <source>engine.options.n_ctx: 0 means the length that the model was trained for, which is not known of this one; give a number of tokens</source>
        <translation>engine.options.n_ctx：0 表示模型训练时的长度，而该模型的这个长度未知；请给出 token 数</translation>
    </message>
    <message>
        <source>ten such chats</source>
        <translation>十个这样的对话</translation>
    </message>
    <message>
        <source>what 400 GB hold: 122,070 tokens each</source>
        <translation>400 GB 能容纳的：每个 122,070 个 token</translation>
    </message>
    <message>
        <source>engine.options.enable_dp_attention: SGLang does not draft with a model of its own under DP attention; leave out draft_model, or DP attention</source>
        <translation>engine.options.enable_dp_attention：使用 DP attention 时 SGLang 不支持独立的草稿模型；请去掉 draft_model，或不用 DP attention</translation>
    </message>
    <message>
        <source>kv.dtype: for sparse attention over latents sglang does not take %1 for the cache; it takes auto, bf16, fp8</source>
        <translation>kv.dtype：对潜向量上的稀疏注意力，sglang 的缓存不支持 %1；支持 auto、bf16、fp8</translation>
    </message>
    <message>
        <source>The recurrent states of %L1 slot take more than is left on a GPU: max_batch_size sets how many there are</source>
        <translation>%L1 个槽位的循环状态就超过了单块 GPU 剩余的显存：槽位数由 max_batch_size 设定</translation>
    </message>
    <message>
        <source>The recurrent states of %L1 slots take more than is left on a GPU: max_batch_size sets how many there are</source>
        <translation>%L1 个槽位的循环状态就超过了单块 GPU 剩余的显存：槽位数由 max_batch_size 设定</translation>
    </message>
    <message>
        <source>vLLM does not load these weights: an expert&apos;s %L1 columns are no whole FP8 blocks of %L2</source>
        <translation>vLLM 无法加载这些权重：每个专家的 %L1 列不是大小为 %L2 的 FP8 块的整数倍</translation>
    </message>
    <message>
        <source>engine.id: SGLang does not take a nemotron-nas model whose layers have unlike numbers of KV heads; count it like another engine</source>
        <translation>engine.id：SGLang 不支持各层 KV 头数不一的 nemotron-nas 模型；请按其他引擎计算</translation>
    </message>
    <message>
        <source>The recurrent states of %L1 slot take more than is left on a GPU</source>
        <translation>%L1 个槽位的循环状态就超过了单块 GPU 剩余的显存</translation>
    </message>
    <message>
        <source>The recurrent states of %L1 slots take more than is left on a GPU</source>
        <translation>%L1 个槽位的循环状态就超过了单块 GPU 剩余的显存</translation>
    </message>
</context>
<context>
    <name>core.joints</name>
    <message>
        <source>. </source>
        <translation>。</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>: </source>
        <translation>：</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source> and </source>
        <translation> 和 </translation>
    </message>
    <message>
        <source>.</source>
        <translation>。</translation>
    </message>
    <message>
        <source> (</source>
        <translation>（</translation>
    </message>
    <message>
        <source>)</source>
        <translation>）</translation>
    </message>
</context>
<context>
    <name>core.rows</name>
    <message>
        <source>GPU</source>
        <translation>GPU 型号</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU 数量</translation>
    </message>
</context>
<context>
    <name>kv::Actions</name>
    <message>
        <source>Open &amp;Recent</source>
        <translation>打开最近的文件(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;New Window</source>
        <translation>新建窗口(&amp;N)</translation>
    </message>
    <message>
        <source>Open another window with the first scenario</source>
        <translation>打开另一个窗口，显示初始方案</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open a plan, a config.json or a model file</source>
        <translation>打开方案、config.json 或模型文件</translation>
    </message>
    <message>
        <source>From the &amp;Hub…</source>
        <translation>从 Hub 获取(&amp;H)…</translation>
    </message>
    <message>
        <source>Fetch a model’s config and the headers of its weights from the Hub</source>
        <translation>从 Hub 获取模型的 config 和权重文件头</translation>
    </message>
    <message>
        <source>Open &amp;Log…</source>
        <translation>打开日志(&amp;L)…</translation>
    </message>
    <message>
        <source>Set an engine’s start-up log beside the plan</source>
        <translation>把引擎的启动日志与规划对照</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>保存方案</translation>
    </message>
    <message>
        <source>Save &amp;As…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Save the plan under another name</source>
        <translation>以另一个名称保存方案</translation>
    </message>
    <message>
        <source>&amp;Export Image…</source>
        <translation>导出图片(&amp;E)…</translation>
    </message>
    <message>
        <source>Write what is seen as PNG, SVG or PDF</source>
        <translation>把当前画面写成 PNG、SVG 或 PDF</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>Close this window</source>
        <translation>关闭此窗口</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>End the program; it starts again as it is now</source>
        <translation>结束程序；下次启动时恢复现在的样子</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>&amp;Copy Summary</source>
        <translation>复制摘要(&amp;C)</translation>
    </message>
    <message>
        <source>Copy the verdict and the figures as text</source>
        <translation>以文本复制结论和数字</translation>
    </message>
    <message>
        <source>Copy E&amp;xplanation</source>
        <translation>复制推导(&amp;X)</translation>
    </message>
    <message>
        <source>Copy the derivation as text</source>
        <translation>以文本复制推导过程</translation>
    </message>
    <message>
        <source>Copy &amp;Launch Command</source>
        <translation>复制启动命令(&amp;L)</translation>
    </message>
    <message>
        <source>Copy the command that starts the engine as planned</source>
        <translation>复制按此规划启动引擎的命令</translation>
    </message>
    <message>
        <source>Copy &amp;Image</source>
        <translation>复制图片(&amp;I)</translation>
    </message>
    <message>
        <source>Copy a picture of the figures and charts</source>
        <translation>复制数字和图表的图片</translation>
    </message>
    <message>
        <source>Copy image</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>&amp;Paste Plan, Config, Command or Log</source>
        <translation>粘贴方案、config、命令或日志(&amp;P)</translation>
    </message>
    <message>
        <source>Take a plan, a config.json, a launch command or a start-up log from the clipboard</source>
        <translation>从剪贴板读取方案、config.json、启动命令或启动日志</translation>
    </message>
    <message>
        <source>&amp;GB (10⁹ bytes)</source>
        <translation>GB（10⁹ 字节）(&amp;G)</translation>
    </message>
    <message>
        <source>All figures in kB, MB, GB and TB, powers of 1,000</source>
        <translation>所有数字使用 kB、MB、GB、TB，按 1,000 的幂</translation>
    </message>
    <message>
        <source>G&amp;iB (2³⁰ bytes)</source>
        <translation>GiB（2³⁰ 字节）(&amp;I)</translation>
    </message>
    <message>
        <source>All figures in KiB, MiB, GiB and TiB, powers of 1,024</source>
        <translation>所有数字使用 KiB、MiB、GiB、TiB，按 1,024 的幂</translation>
    </message>
    <message>
        <source>Like the &amp;Desktop</source>
        <translation>跟随系统(&amp;D)</translation>
    </message>
    <message>
        <source>Light or dark as the desktop is</source>
        <translation>浅色或深色，跟随桌面</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>Dark type on light ground</source>
        <translation>浅底深字</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>Light type on dark ground</source>
        <translation>深底浅字</translation>
    </message>
    <message>
        <source>GPU &amp;Memory as a Table</source>
        <translation>以表格显示 GPU 显存(&amp;M)</translation>
    </message>
    <message>
        <source>The memory of each GPU as numbers instead of bars</source>
        <translation>用数字代替条形图显示每个 GPU 的显存</translation>
    </message>
    <message>
        <source>&amp;Growth as a Table</source>
        <translation>以表格显示增长(&amp;G)</translation>
    </message>
    <message>
        <source>Memory, sequences and fit at the usual contexts</source>
        <translation>常见上下文下的内存、序列数以及是否放得下</translation>
    </message>
    <message>
        <source>E&amp;xplanation</source>
        <translation>推导(&amp;X)</translation>
    </message>
    <message>
        <source>Go to the derivation of the figures</source>
        <translation>转到数字的推导过程</translation>
    </message>
    <message>
        <source>&amp;Open Lesson…</source>
        <translation>打开课程(&amp;O)…</translation>
    </message>
    <message>
        <source>Open a lesson of your own from its file</source>
        <translation>从文件打开你自己的课程</translation>
    </message>
    <message>
        <source>&amp;Present</source>
        <translation>演示(&amp;P)</translation>
    </message>
    <message>
        <source>The charts alone in large type over the whole screen, moved by keys</source>
        <translation>只显示图表，大字、全屏，用按键操作</translation>
    </message>
    <message>
        <source>Present</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>&amp;Larger Type</source>
        <translation>放大字体(&amp;L)</translation>
    </message>
    <message>
        <source>Set everything in larger type</source>
        <translation>放大所有文字</translation>
    </message>
    <message>
        <source>&amp;Smaller Type</source>
        <translation>缩小字体(&amp;S)</translation>
    </message>
    <message>
        <source>Set everything in smaller type</source>
        <translation>缩小所有文字</translation>
    </message>
    <message>
        <source>&amp;Usual Type</source>
        <translation>默认字体大小(&amp;U)</translation>
    </message>
    <message>
        <source>Set everything in the desktop’s type size</source>
        <translation>使用桌面的字体大小</translation>
    </message>
    <message>
        <source>The windows are built anew in it; what can be undone starts afresh</source>
        <translation>窗口以该语言重新建立；撤销记录从此重新开始</translation>
    </message>
    <message>
        <source>As Many &amp;Sequences as Fit</source>
        <translation>尽可能多的序列(&amp;S)</translation>
    </message>
    <message>
        <source>Set the number of sequences to the most that fit</source>
        <translation>把序列数设为放得下的最大值</translation>
    </message>
    <message>
        <source>Longest &amp;Context That Fits</source>
        <translation>放得下的最长上下文(&amp;C)</translation>
    </message>
    <message>
        <source>Set the context to the longest at which the sequences fit</source>
        <translation>把上下文设为这些序列放得下的最大值</translation>
    </message>
    <message>
        <source>Fewest &amp;GPUs That Fit</source>
        <translation>放得下的最少 GPU(&amp;G)</translation>
    </message>
    <message>
        <source>Set the number of GPUs to the fewest on which everything fits</source>
        <translation>把 GPU 数设为放得下的最小值</translation>
    </message>
    <message>
        <source>P&amp;in to Compare</source>
        <translation>固定以对比(&amp;I)</translation>
    </message>
    <message>
        <source>Put a named copy of this scenario beside it, to compare what comes next with it</source>
        <translation>把此方案的命名副本放在旁边，与后续改动对比</translation>
    </message>
    <message>
        <source>Pin to compare</source>
        <translation>固定以对比</translation>
    </message>
    <message>
        <source>&amp;Duplicate</source>
        <translation>复制方案(&amp;D)</translation>
    </message>
    <message>
        <source>Put a copy of this scenario beside it, to try something else</source>
        <translation>把此方案的副本放在旁边，以便尝试别的</translation>
    </message>
    <message>
        <source>Re&amp;name…</source>
        <translation>重命名(&amp;N)…</translation>
    </message>
    <message>
        <source>Give this scenario a name</source>
        <translation>给此方案命名</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>移除(&amp;M)</translation>
    </message>
    <message>
        <source>Take this scenario off the table; undo returns it</source>
        <translation>移除此方案；可撤销</translation>
    </message>
    <message>
        <source>Ne&amp;xt</source>
        <translation>下一个(&amp;X)</translation>
    </message>
    <message>
        <source>Look at the next scenario</source>
        <translation>查看下一个方案</translation>
    </message>
    <message>
        <source>&amp;Previous</source>
        <translation>上一个(&amp;P)</translation>
    </message>
    <message>
        <source>Look at the scenario before</source>
        <translation>查看上一个方案</translation>
    </message>
    <message>
        <source>Move &amp;Left</source>
        <translation>左移(&amp;L)</translation>
    </message>
    <message>
        <source>Put this scenario before the one at its left</source>
        <translation>把此方案移到左边方案之前</translation>
    </message>
    <message>
        <source>Move R&amp;ight</source>
        <translation>右移(&amp;I)</translation>
    </message>
    <message>
        <source>Put this scenario behind the one at its right</source>
        <translation>把此方案移到右边方案之后</translation>
    </message>
    <message>
        <source>&amp;Reset to the First Scenario</source>
        <translation>恢复初始方案(&amp;R)</translation>
    </message>
    <message>
        <source>Back to Llama 3.1 70B on eight H100; undo returns</source>
        <translation>回到八张 H100 上的 Llama 3.1 70B；可撤销</translation>
    </message>
    <message>
        <source>What’s &amp;This?</source>
        <translation>这是什么？(&amp;T)</translation>
    </message>
    <message>
        <source>Click on anything to learn what it is and where its number comes from</source>
        <translation>点击任意内容，了解它是什么、数字从何而来</translation>
    </message>
    <message>
        <source>&amp;Keyboard Shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>All keys at a glance</source>
        <translation>一览所有按键</translation>
    </message>
    <message>
        <source>&amp;About KV Planner</source>
        <translation>关于 KV Planner(&amp;A)</translation>
    </message>
    <message>
        <source>Version and licence</source>
        <translation>版本与许可证</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>GB (10⁹)</source>
        <translation>GB（10⁹）</translation>
    </message>
    <message>
        <source>All figures in powers of 1,000: what vendors print on the box</source>
        <translation>所有数字按 1,000 的幂：即厂商印在包装上的单位</translation>
    </message>
    <message>
        <source>GiB (2³⁰)</source>
        <translation>GiB（2³⁰）</translation>
    </message>
    <message>
        <source>All figures in powers of 1,024: what nvidia-smi and the engines print</source>
        <translation>所有数字按 1,024 的幂：即 nvidia-smi 和引擎打印的单位</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>颜色(&amp;C)</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <extracomment>The English word stays beside it in other languages, so that whoever chose a wrong one finds back.</extracomment>
        <translation>语言 / Language(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Scenario</source>
        <translation>方案(&amp;S)</translation>
    </message>
    <message>
        <source>Lear&amp;n</source>
        <translation>学习(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Export Repor&amp;t…</source>
        <translation>导出报告(&amp;T)…</translation>
    </message>
    <message>
        <source>Write the plan with its derivation and charts as HTML, or as Markdown or LaTeX</source>
        <translation>将规划连同推导和图表写成 HTML，或写成 Markdown、LaTeX</translation>
    </message>
    <message>
        <source>Export &amp;Data…</source>
        <translation>导出数据(&amp;D)…</translation>
    </message>
    <message>
        <source>Write the plan’s exact numbers as CSV or JSON</source>
        <translation>将规划的精确数字写成 CSV 或 JSON</translation>
    </message>
    <message>
        <source>&amp;Print…</source>
        <translation>打印(&amp;P)…</translation>
    </message>
    <message>
        <source>Print what is seen on one page</source>
        <translation>将当前所见打印在一页上</translation>
    </message>
    <message>
        <source>&amp;1×: 1,440 × 900 pixels</source>
        <translation>&amp;1×：1,440 × 900 像素</translation>
    </message>
    <message>
        <source>PNG and copied pictures with one pixel a point</source>
        <translation>PNG 和复制的图片每点一个像素</translation>
    </message>
    <message>
        <source>&amp;2×: 2,880 × 1,800 pixels</source>
        <translation>&amp;2×：2,880 × 1,800 像素</translation>
    </message>
    <message>
        <source>PNG and copied pictures with two pixels a point</source>
        <translation>PNG 和复制的图片每点两个像素</translation>
    </message>
    <message>
        <source>&amp;3×: 4,320 × 2,700 pixels</source>
        <translation>&amp;3×：4,320 × 2,700 像素</translation>
    </message>
    <message>
        <source>PNG and copied pictures with three pixels a point</source>
        <translation>PNG 和复制的图片每点三个像素</translation>
    </message>
    <message>
        <source>On &amp;Dark Ground</source>
        <translation>深色背景(&amp;D)</translation>
    </message>
    <message>
        <source>Pictures and printed pages in light type on dark ground</source>
        <translation>图片和打印页面用深底浅字</translation>
    </message>
    <message>
        <source>Pict&amp;ures</source>
        <translation>图片(&amp;U)</translation>
    </message>
    <message>
        <source>Copy &amp;Formula as LaTeX</source>
        <translation>将公式复制为 LaTeX(&amp;F)</translation>
    </message>
    <message>
        <source>Copy the derivation for a paper; it needs amsmath and array</source>
        <translation>复制推导，供论文使用；需要 amsmath 和 array</translation>
    </message>
    <message>
        <source>Copy Report as &amp;Markdown</source>
        <translation>将报告复制为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>Copy the plan with its derivation as Markdown</source>
        <translation>将规划连同推导复制为 Markdown</translation>
    </message>
    <message>
        <source>Acc&amp;uracy and Limits</source>
        <translation>准确性与局限(&amp;U)</translation>
    </message>
    <message>
        <source>Which figure is exact, which is an estimate, what is not modelled, and how it was checked</source>
        <translation>哪些数字是精确的，哪些是估算，哪些没有建模，以及如何核对</translation>
    </message>
</context>
<context>
    <name>kv::CapacityAnswers</name>
    <message>
        <source>Most users at this context</source>
        <translation>此上下文下的最多用户</translation>
    </message>
    <message>
        <source>Take Most Users</source>
        <translation>采用最多用户数</translation>
    </message>
    <message>
        <source>Longest context for these users</source>
        <translation>这些用户的最长上下文</translation>
    </message>
    <message>
        <source>Take Longest Context</source>
        <translation>采用最长上下文</translation>
    </message>
    <message>
        <source>Fewest GPUs for this load</source>
        <translation>此负载所需的最少 GPU</translation>
    </message>
    <message>
        <source>Take Fewest GPUs</source>
        <translation>采用最少 GPU</translation>
    </message>
    <message>
        <source>Share of the memory needed</source>
        <translation>所需的显存份额</translation>
    </message>
    <message>
        <source>Take Share of the Memory</source>
        <translation>采用显存份额</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无上限</translation>
    </message>
    <message>
        <source>Largest reserve for this load</source>
        <translation>此负载允许的最大预留</translation>
    </message>
    <message>
        <source>%1 needed</source>
        <translation>所需的 %1</translation>
    </message>
    <message>
        <source>Take</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>Put this answer into the scenario.</source>
        <translation>把此结果写入方案。</translation>
    </message>
    <message>
        <source>One step, which undo takes back.</source>
        <translation>一步操作，可撤销。</translation>
    </message>
    <message>
        <source>The scenario has it already.</source>
        <translation>方案已是如此。</translation>
    </message>
    <message>
        <source>%1 With the lengths given: %2</source>
        <translation>%1按给定的长度：%2</translation>
    </message>
    <message>
        <source>%1 Each is counted at the whole context.</source>
        <translation>%1每个序列按完整上下文计算。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1%2</translation>
    </message>
</context>
<context>
    <name>kv::CapacityView</name>
    <message>
        <source>What would fit</source>
        <translation>能放下什么</translation>
    </message>
    <message>
        <source>Fleet</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Decode floor: a bound, not a forecast</source>
        <translation>解码下限：是界限，不是预测</translation>
    </message>
    <message>
        <source>capacity</source>
        <translation>capacity</translation>
    </message>
</context>
<context>
    <name>kv::ChartLegend</name>
    <message>
        <source>Legend: %1</source>
        <translation>图例：%1</translation>
    </message>
</context>
<context>
    <name>kv::ChartTable</name>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Repeats another&apos;s KV</source>
        <translation>重复保存其他 GPU 的 KV</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Left for KV</source>
        <translation>留给 KV</translation>
    </message>
</context>
<context>
    <name>kv::ClassesDialog</name>
    <message>
        <source>Request Classes</source>
        <translation>请求类别</translation>
    </message>
    <message>
        <source>Request classes</source>
        <translation>请求类别</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>份额</translation>
    </message>
    <message>
        <source>Text input</source>
        <translation>文本输入</translation>
    </message>
    <message>
        <source>Image, audio</source>
        <translation>图片、音频</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>What the requests of this class are.</source>
        <translation>此类请求是什么。</translation>
    </message>
    <message>
        <source>Of all requests; the proportions count: 70 and 30, or 0.7 and 0.3.</source>
        <translation>占全部请求的份额；只看比例：70 和 30，或 0.7 和 0.3。</translation>
    </message>
    <message>
        <source>Tokens of the input without images and sound: 1500, 32k.</source>
        <translation>不含图片和声音的输入 token 数：1500、32k。</translation>
    </message>
    <message>
        <source>Tokens that images and sound add to the input.</source>
        <translation>图片和声音给输入增加的 token 数。</translation>
    </message>
    <message>
        <source>Tokens of the answer.</source>
        <translation>回答的 token 数。</translation>
    </message>
    <message>
        <source>&amp;Use</source>
        <translation>使用(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Add Class</source>
        <translation>添加类别(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>Class %1</source>
        <translation>类别 %1</translation>
    </message>
    <message>
        <source>%1: the share is a number of 0 or more, such as 70; found “%2”.</source>
        <translation>%1：份额应为不小于 0 的数，例如 70；实际是“%2”。</translation>
    </message>
    <message>
        <source>a length is 0 or more.</source>
        <translation>长度应不小于 0。</translation>
    </message>
    <message>
        <source>%1: the input is out of range.</source>
        <translation>%1：输入超出范围。</translation>
    </message>
    <message>
        <source>The classes</source>
        <translation>各类别</translation>
    </message>
    <message>
        <source>Of all requests: %1. Mean %2 tokens, p99 %3.</source>
        <translation>占全部请求：%1。平均 %2 个 token，p99 %3。</translation>
    </message>
    <message>
        <source>Each class has its share of the requests in flight and the tokens of one of them; long answers stay longer, so that their share in flight is larger than of what arrives. A picture or a sound takes tokens of the input too: how many, its model’s processor says.</source>
        <translation>每个类别有它在在途请求中的份额，以及一个请求的 token 数；回答长的请求停留更久，因此在途份额大于到达份额。图片或声音也占输入的 token：具体多少由其模型的处理器决定。</translation>
    </message>
</context>
<context>
    <name>kv::CompareTable</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>kv::CompareView</name>
    <message>
        <source>Pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>&amp;Pin</source>
        <translation>固定(&amp;P)</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>设为基准</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Baseline on the charts</source>
        <translation>图表上显示基准</translation>
    </message>
    <message>
        <source>All rows</source>
        <translation>全部行</translation>
    </message>
    <message>
        <source>Scenarios side by side</source>
        <translation>各方案并列</translation>
    </message>
    <message>
        <source>The scenarios of this plan, each with its users and the memory of its fullest GPU. Double click opens one; drag, or Alt with the arrow keys, orders them.</source>
        <translation>此文件中的方案，各有其用户数和最满 GPU 的显存。双击打开；拖动，或按 Alt 加方向键调整顺序。</translation>
    </message>
    <message>
        <source>Pin the present scenario, then change it: both stand here side by side, with what differs.</source>
        <translation>先固定当前方案，再修改它：两者在此并列，并列出差异。</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Draw the baseline behind the present scenario on the charts.</source>
        <translation>在图表上把基准画在当前方案之后。</translation>
    </message>
    <message>
        <source>Also the rows in which the scenarios are alike.</source>
        <translation>也显示各方案相同的行。</translation>
    </message>
    <message>
        <source>Pin the present scenario</source>
        <translation>固定当前方案</translation>
    </message>
    <message>
        <source>Put a named copy of the present scenario beside it.</source>
        <translation>把当前方案的命名副本放在旁边。</translation>
    </message>
    <message>
        <source>Open the selected scenario</source>
        <translation>打开所选方案</translation>
    </message>
    <message>
        <source>Work on the selected scenario.</source>
        <translation>编辑所选方案。</translation>
    </message>
    <message>
        <source>Make the selected scenario the baseline</source>
        <translation>把所选方案设为基准</translation>
    </message>
    <message>
        <source>Take the differences against the selected scenario.</source>
        <translation>差异以所选方案为准计算。</translation>
    </message>
    <message>
        <source>Rename the selected scenario</source>
        <translation>重命名所选方案</translation>
    </message>
    <message>
        <source>Give the selected scenario another name.</source>
        <translation>给所选方案另取名称。</translation>
    </message>
    <message>
        <source>Remove the selected scenario</source>
        <translation>移除所选方案</translation>
    </message>
    <message>
        <source>Take the selected scenario off the table; undo returns it.</source>
        <translation>移除所选方案；可撤销。</translation>
    </message>
    <message>
        <source>Move the selected scenario up</source>
        <translation>上移所选方案</translation>
    </message>
    <message>
        <source>Put the selected scenario before the one above it.</source>
        <translation>把所选方案移到上一个之前。</translation>
    </message>
    <message>
        <source>Move the selected scenario down</source>
        <translation>下移所选方案</translation>
    </message>
    <message>
        <source>Put the selected scenario behind the one below it.</source>
        <translation>把所选方案移到下一个之后。</translation>
    </message>
    <message>
        <source>comparison</source>
        <translation>comparison</translation>
    </message>
    <message>
        <source>baseline “%1”</source>
        <translation>基准“%1”</translation>
    </message>
    <message>
        <source>Pin to Compare</source>
        <translation>固定以对比</translation>
    </message>
    <message>
        <source>Rename Scenario</source>
        <translation>重命名方案</translation>
    </message>
    <message>
        <source>Name of the scenario:</source>
        <translation>方案名称：</translation>
    </message>
    <message>
        <source>Move Scenario</source>
        <translation>移动方案</translation>
    </message>
    <message>
        <source>Remove Scenario</source>
        <translation>移除方案</translation>
    </message>
    <message>
        <source>“%1” is taken off the table; undo returns it.</source>
        <translation>“%1”已移除；可撤销。</translation>
    </message>
    <message>
        <source>Nothing differs between these.</source>
        <translation>这些方案没有差异。</translation>
    </message>
</context>
<context>
    <name>kv::ComparedScenario</name>
    <message>
        <source>being counted …</source>
        <translation>计算中…</translation>
    </message>
    <message>
        <source>cannot be planned</source>
        <translation>无法规划</translation>
    </message>
    <message>
        <source>1 GPU</source>
        <translation>1 个 GPU</translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation>%1 个 GPU</translation>
    </message>
    <message>
        <source>users without limit · %1</source>
        <translation>用户数无上限 · %1</translation>
    </message>
    <message>
        <source>1 user · %1</source>
        <translation>1 个用户 · %1</translation>
    </message>
    <message>
        <source>%1 users · %2</source>
        <translation>%1 个用户 · %2</translation>
    </message>
    <message>
        <source>±0</source>
        <translation>±0</translation>
    </message>
    <message>
        <source>+%1</source>
        <translation>+%1</translation>
    </message>
    <message>
        <source>−%1</source>
        <translation>−%1</translation>
    </message>
    <message>
        <source>%1 against the baseline</source>
        <translation>相对基准 %1</translation>
    </message>
    <message>
        <source>the baseline</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>the present one</source>
        <translation>当前方案</translation>
    </message>
</context>
<context>
    <name>kv::Comparison</name>
    <message>
        <source>baseline</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>present</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>and %1 more rows</source>
        <translation>另有 %1 行</translation>
    </message>
</context>
<context>
    <name>kv::ContextTable</name>
    <message>
        <source>The present context</source>
        <translation>当前上下文</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无上限</translation>
    </message>
    <message>
        <source>✓ fits</source>
        <translation>✓ 放得下</translation>
    </message>
    <message>
        <source>✕ does not fit</source>
        <translation>✕ 放不下</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Per Sequence</source>
        <translation>每个序列</translation>
    </message>
    <message>
        <source>1 Sequence</source>
        <translation>1 个序列</translation>
    </message>
    <message>
        <source>%1 Sequences</source>
        <translation>%1 个序列</translation>
    </message>
    <message>
        <source>Most Sequences</source>
        <translation>最多序列数</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>是否放得下</translation>
    </message>
</context>
<context>
    <name>kv::Dashboard</name>
    <message>
        <source>Memory of each GPU</source>
        <translation>每个 GPU 的显存</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Reasons</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Move Scenario</source>
        <translation>移动方案</translation>
    </message>
    <message>
        <source>The figures below are still those of the last plan that could be made: %1.</source>
        <translation>下方数字仍是最后一个可行的规划：%1。</translation>
    </message>
    <message>
        <source>There is nothing to show of it until the settings agree.</source>
        <translation>设置一致之前，没有可显示的内容。</translation>
    </message>
    <message>
        <source>%1 (does not fit)</source>
        <translation>%1（放不下）</translation>
    </message>
    <message>
        <source>Take %1</source>
        <translation>采用 %1</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Memory, sequences and fit at the usual contexts</source>
        <translation>常见上下文下的内存、序列数以及是否放得下</translation>
    </message>
    <message>
        <source>Memory of each GPU, as a table</source>
        <translation>每个 GPU 的显存（表格）</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Growth</source>
        <translation>增长</translation>
    </message>
    <message>
        <source>Growth with context</source>
        <translation>随上下文增长</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>推导</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>gpus</source>
        <translation>gpus</translation>
    </message>
    <message>
        <source>growth</source>
        <translation>growth</translation>
    </message>
    <message>
        <source>contexts</source>
        <translation>contexts</translation>
    </message>
    <message>
        <source>explanation</source>
        <translation>explanation</translation>
    </message>
    <message>
        <source>How it is counted</source>
        <translation>如何计算</translation>
    </message>
    <message>
        <source>Compared: %1</source>
        <translation>对比：%1</translation>
    </message>
</context>
<context>
    <name>kv::DeviceRows</name>
    <message>
        <source>Add another &amp;kind of card</source>
        <translation>添加另一种卡(&amp;K)</translation>
    </message>
    <message>
        <source>Add another kind of card</source>
        <translation>添加另一种卡</translation>
    </message>
    <message>
        <source>A further kind of GPU in the same machine.</source>
        <translation>同一台机器中的另一种 GPU。</translation>
    </message>
    <message>
        <source>llama.cpp splits the layers over unlike cards by the memory free on each, or by its option tensor_split.</source>
        <translation>llama.cpp 按各卡的空闲显存，或按其选项 tensor_split，把各层分到不同的卡上。</translation>
    </message>
    <message>
        <source>Card %1</source>
        <translation>第 %1 种卡</translation>
    </message>
    <message>
        <source>Search %1 accelerators</source>
        <translation>搜索 %1 种加速卡</translation>
    </message>
    <message>
        <source>Number of card %1</source>
        <translation>第 %1 种卡的数量</translation>
    </message>
    <message>
        <source>How many of them.</source>
        <translation>有多少张。</translation>
    </message>
    <message>
        <source>Take card %1 out</source>
        <translation>去掉第 %1 种卡</translation>
    </message>
    <message>
        <source>Take this kind of card out.</source>
        <translation>去掉这种卡。</translation>
    </message>
</context>
<context>
    <name>kv::Dialogs</name>
    <message>
        <source>Save the changes to “%1”?</source>
        <translation>保存对“%1”的更改？</translation>
    </message>
    <message>
        <source>What is not saved is lost when the window closes.</source>
        <translation>窗口关闭后，未保存的内容将丢失。</translation>
    </message>
    <message>
        <source>“%1” exists already. Overwrite it?</source>
        <translation>“%1”已存在。要覆盖吗？</translation>
    </message>
</context>
<context>
    <name>kv::DistributionPicture</name>
    <message>
        <source>up to here</source>
        <translation>至此累计</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>room</source>
        <translation>可用空间</translation>
    </message>
    <message>
        <source>Length of a request, tokens</source>
        <translation>请求长度（token）</translation>
    </message>
    <message>
        <source>requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>No lengths</source>
        <translation>没有长度</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个 token</translation>
    </message>
    <message>
        <source>%1 to %2 tokens</source>
        <translation>%1 到 %2 个 token</translation>
    </message>
    <message>
        <source>Lengths of requests: half up to %1 tokens, 90 of 100 up to %2, 99 of 100 up to %3, mean %4</source>
        <translation>请求长度：一半不超过 %1 个 token，100 个中有 90 个不超过 %2，99 个不超过 %3，平均 %4</translation>
    </message>
    <message>
        <source>KV of 1 sequence</source>
        <translation>1 个序列的 KV</translation>
    </message>
    <message>
        <source>KV of %1 sequences</source>
        <translation>%1 个序列的 KV</translation>
    </message>
    <message>
        <source>%1, fullest GPU of the fullest replica</source>
        <translation>%1，最满副本的最满 GPU</translation>
    </message>
    <message>
        <source>%1, fullest GPU</source>
        <translation>%1，最满 GPU</translation>
    </message>
    <message>
        <source>cases</source>
        <translation>次</translation>
    </message>
    <message>
        <source>Each slot is set aside for the whole context: the lengths change nothing.</source>
        <translation>每个槽位都按整个上下文预留：长度不起作用。</translation>
    </message>
    <message>
        <source>Nothing is cached.</source>
        <translation>没有缓存。</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>room, farther right:</source>
        <translation>可用空间在右侧之外：</translation>
    </message>
    <message>
        <source>room, farther left:</source>
        <translation>可用空间在左侧之外：</translation>
    </message>
    <message>
        <source>%1 together: %2 in half of the cases, up to %3 in 95 and %4 in 99 of 100, against a room of %5</source>
        <translation>%1合计：一半情况下为 %2，100 次中有 95 次不超过 %3，99 次不超过 %4，可用空间为 %5</translation>
    </message>
</context>
<context>
    <name>kv::EnginePanel</name>
    <message>
        <source>Count &amp;like</source>
        <translation>计算方式(&amp;L)</translation>
    </message>
    <message>
        <source>Count like</source>
        <translation>计算方式</translation>
    </message>
    <message>
        <source>Whose rules the plan follows.</source>
        <translation>规划按谁的规则计算。</translation>
    </message>
    <message>
        <source>The textbook counts what the attention must keep. An engine also has pages, padding, overhead and a memory budget of its own; its figures are what it would report itself.</source>
        <translation>教科书公式计算注意力必须保留的内容。引擎还有页、填充、开销和自己的显存预算；它的数字就是它自己会报告的数字。</translation>
    </message>
    <message>
        <source>Engine options</source>
        <translation>引擎选项</translation>
    </message>
    <message>
        <source>Show or hide the options of this engine.</source>
        <translation>显示或隐藏该引擎的选项。</translation>
    </message>
    <message>
        <source>The engine&apos;s own options; an empty one keeps the engine&apos;s default, which is shown in grey.</source>
        <translation>引擎自己的选项；留空则用引擎的默认值，以灰色显示。</translation>
    </message>
    <message>
        <source>&amp;Options ▾</source>
        <translation>选项(&amp;O) ▾</translation>
    </message>
    <message>
        <source>&amp;Options ▴</source>
        <translation>选项(&amp;O) ▴</translation>
    </message>
    <message>
        <source>%1 of its options set</source>
        <translation>已设置 %1 个选项</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>default: %1</source>
        <translation>默认：%1</translation>
    </message>
    <message>
        <source>%1
Default: %2</source>
        <translation>%1
默认：%2</translation>
    </message>
    <message>
        <source>What the desktop and other programs take of a GPU before the engine starts: 1 GiB where a display hangs on it. llama.cpp: of the first GPU; all others count as the fullest does.</source>
        <translation>引擎启动之前，桌面和其他程序占用的 GPU 显存：接有显示器时为 1 GiB。llama.cpp：指第一个 GPU；其他引擎都按最满的 GPU 计算。</translation>
    </message>
    <message>
        <source>In this machine it is %1 now.</source>
        <translation>本机现在是 %1。</translation>
    </message>
    <message>
        <source>display</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>What the desktop and other programs take of a GPU.</source>
        <translation>桌面和其他程序占用的 GPU 显存。</translation>
    </message>
    <message>
        <source>Display</source>
        <translation>显示占用</translation>
    </message>
    <message>
        <source>Change Display</source>
        <translation>更改显示占用</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>更改 %1</translation>
    </message>
    <message>
        <source>Count Like %1</source>
        <translation>按 %1 计算</translation>
    </message>
    <message>
        <source>its own choice</source>
        <translation>它自己的选择</translation>
    </message>
    <message>
        <source>%1 does not keep its cache in %2; it is %3 now. Undo takes both back.</source>
        <translation>%1 不以 %2 保存缓存；现在是 %3。撤销可同时恢复两者。</translation>
    </message>
</context>
<context>
    <name>kv::ExplainPanel</name>
    <message>
        <source>Explanation</source>
        <translation>推导</translation>
    </message>
    <message>
        <source>The formula, the values put in and where each came from.</source>
        <translation>公式、代入的值，以及每个值的来源。</translation>
    </message>
    <message>
        <source>The derivation of the figures, live: the formula named, then substituted, then worked out. Each value stands with the config key that it came from.</source>
        <translation>数字的实时推导：先列公式，再代入，再算出。每个值旁边是它来自的 config 键。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Mind</source>
        <translation>注意</translation>
    </message>
</context>
<context>
    <name>kv::ExportButton</name>
    <message>
        <source>Copy as &amp;Markdown</source>
        <translation>复制为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>Copy the numbers as a Markdown table</source>
        <translation>以 Markdown 表格复制数字</translation>
    </message>
    <message>
        <source>&amp;Copy as CSV</source>
        <translation>复制为 CSV(&amp;C)</translation>
    </message>
    <message>
        <source>Copy the exact numbers, for a spreadsheet</source>
        <translation>复制精确数字，用于电子表格</translation>
    </message>
    <message>
        <source>Save as M&amp;arkdown…</source>
        <translation>保存为 Markdown(&amp;A)…</translation>
    </message>
    <message>
        <source>Write the numbers as a Markdown table</source>
        <translation>以 Markdown 表格写出数字</translation>
    </message>
    <message>
        <source>&amp;Save as CSV…</source>
        <translation>保存为 CSV(&amp;S)…</translation>
    </message>
    <message>
        <source>Write the exact numbers into a file</source>
        <translation>把精确数字写入文件</translation>
    </message>
    <message>
        <source>Write this view as PNG, SVG or PDF</source>
        <translation>把此视图写成 PNG、SVG 或 PDF</translation>
    </message>
    <message>
        <source>Copy, save or print this view</source>
        <translation>复制、保存或打印此视图</translation>
    </message>
    <message>
        <source>Copy as La&amp;TeX</source>
        <translation>复制为 LaTeX(&amp;T)</translation>
    </message>
    <message>
        <source>Copy the formulas for a paper; they need amsmath and array</source>
        <translation>复制公式，供论文使用；需要 amsmath 和 array</translation>
    </message>
    <message>
        <source>Copy &amp;Image</source>
        <translation>复制图片(&amp;I)</translation>
    </message>
    <message>
        <source>Copy a picture of this view</source>
        <translation>复制此视图的图片</translation>
    </message>
    <message>
        <source>Sa&amp;ve Image…</source>
        <translation>保存图片(&amp;V)…</translation>
    </message>
    <message>
        <source>&amp;Print…</source>
        <translation>打印(&amp;P)…</translation>
    </message>
    <message>
        <source>Print this view on a page of its own</source>
        <translation>将此视图单独打印在一页上</translation>
    </message>
</context>
<context>
    <name>kv::Exporter</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>There is nothing to show of this until the settings agree.</source>
        <translation>设置一致之前，没有可显示的内容。</translation>
    </message>
    <message>
        <source>Save Image</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Images (*.png *.svg *.pdf)</source>
        <translation>图片 (*.png *.svg *.pdf)</translation>
    </message>
    <message>
        <source>Writing the picture…</source>
        <translation>正在写入图片…</translation>
    </message>
    <message>
        <source>The picture is in %1.</source>
        <translation>图片已写入 %1。</translation>
    </message>
    <message>
        <source>Painting the picture…</source>
        <translation>正在绘制图片…</translation>
    </message>
    <message>
        <source>The picture is on the clipboard.</source>
        <translation>图片已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Printing…</source>
        <translation>正在打印…</translation>
    </message>
    <message>
        <source>The printer does not take the page.</source>
        <translation>打印机不接受此页。</translation>
    </message>
    <message>
        <source>The page is with the printer.</source>
        <translation>此页已交给打印机。</translation>
    </message>
    <message>
        <source>%1: found “.%2”, expected one of %3.</source>
        <translation>%1：得到“.%2”，应为 %3 之一。</translation>
    </message>
    <message>
        <source>Writing the file…</source>
        <translation>正在写入文件…</translation>
    </message>
    <message>
        <source>The numbers are in %1.</source>
        <translation>数字已写入 %1。</translation>
    </message>
    <message>
        <source>There is nothing to copy until the settings agree.</source>
        <translation>设置一致之前，没有可复制的内容。</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>The page is in %1.</source>
        <translation>此页已存为 %1。</translation>
    </message>
</context>
<context>
    <name>kv::Facts</name>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>chunked</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>full</source>
        <translation>全注意力</translation>
    </message>
    <message>
        <source>%1 query heads</source>
        <translation>%1 个查询头</translation>
    </message>
    <message>
        <source>%1 %2: %3 KV × %4</source>
        <translation>%2 层 %1：%3 KV × %4</translation>
    </message>
    <message>
        <source>%1 KV heads</source>
        <translation>%1 个 KV 头</translation>
    </message>
    <message>
        <source>%1 to %2 KV heads</source>
        <translation>%1 到 %2 个 KV 头</translation>
    </message>
    <message>
        <source>head dim %1</source>
        <translation>头维度 %1</translation>
    </message>
    <message>
        <source>head dim %1 to %2</source>
        <translation>头维度 %1 到 %2</translation>
    </message>
    <message>
        <source>latent %1 + %2</source>
        <translation>潜向量 %1 + %2</translation>
    </message>
    <message>
        <source>latent %1</source>
        <translation>潜向量 %1</translation>
    </message>
    <message>
        <source>%1 query / %2 KV heads</source>
        <translation>%1 个查询头 / %2 个 KV 头</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 层</translation>
    </message>
    <message>
        <source>%1 with a cache</source>
        <translation>%1 层有缓存</translation>
    </message>
    <message>
        <source>%1 experts, %2 a token</source>
        <translation>%1 个专家，每个 token 用 %2 个</translation>
    </message>
    <message>
        <source>%1 experts</source>
        <translation>%1 个专家</translation>
    </message>
    <message>
        <source>up to %1 tokens</source>
        <translation>最长 %1 个 token</translation>
    </message>
    <message>
        <source>no stated limit</source>
        <translation>未给出上限</translation>
    </message>
    <message>
        <source>%1 TB/s</source>
        <translation>%1 TB/s</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>Your own</source>
        <translation>你自己的</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>as its drivers tell</source>
        <translation>按驱动报告</translation>
    </message>
    <message>
        <source>The GPUs of this computer, as nvidia-smi and its like tell them.</source>
        <translation>这台计算机的 GPU，按 nvidia-smi 等工具的报告。</translation>
    </message>
    <message>
        <source>Own GPU…</source>
        <translation>自己的 GPU…</translation>
    </message>
    <message>
        <source>add, change, remove</source>
        <translation>添加、修改、移除</translation>
    </message>
    <message>
        <source>A GPU that is not in the list, with its memory and bandwidth.</source>
        <translation>列表之外的 GPU，连同显存和带宽。</translation>
    </message>
</context>
<context>
    <name>kv::FitMapChart</name>
    <message>
        <source>Fit map: context against sequences</source>
        <translation>容量图：上下文与序列数</translation>
    </message>
    <message>
        <source>Every place is a context and a number of sequences; the line is the most sequences that fit at each context. Click or drag to plan with another place, or step with the arrow keys.</source>
        <translation>每个位置是一个上下文和一个序列数；曲线是每个上下文下放得下的最多序列数。点击或拖动以采用另一处，或用方向键移动。</translation>
    </message>
    <message>
        <source>Fit map</source>
        <translation>容量图</translation>
    </message>
</context>
<context>
    <name>kv::FitMapView</name>
    <message>
        <source>Which map</source>
        <translation>哪张图</translation>
    </message>
    <message>
        <source>context × sequences</source>
        <translation>上下文 × 序列数</translation>
    </message>
    <message>
        <source>What fits at every context and number of sequences</source>
        <translation>各种上下文和序列数下是否放得下</translation>
    </message>
    <message>
        <source>GPUs × types</source>
        <translation>GPU × 类型</translation>
    </message>
    <message>
        <source>What fits with other numbers of GPUs and other types of cache and weights</source>
        <translation>换用其他 GPU 数、缓存类型和权重类型时是否放得下</translation>
    </message>
    <message>
        <source>fit-map</source>
        <translation>fit-map</translation>
    </message>
    <message>
        <source>settings-map</source>
        <translation>settings-map</translation>
    </message>
    <message>
        <source>Move in the Fit Map</source>
        <translation>在容量图中移动</translation>
    </message>
</context>
<context>
    <name>kv::FitPicture</name>
    <message>
        <source>full: %1</source>
        <translation>满：%1</translation>
    </message>
    <message>
        <source>not taken by %1</source>
        <translation>%1 不支持</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 · fits</source>
        <translation>%1 · 放得下</translation>
    </message>
    <message>
        <source>%1 · does not fit</source>
        <translation>%1 · 放不下</translation>
    </message>
    <message>
        <source>The map is being counted.</source>
        <translation>正在计算容量图。</translation>
    </message>
    <message>
        <source>1 sequence of %1 tokens</source>
        <translation>1 个 %1 个 token 的序列</translation>
    </message>
    <message>
        <source>%1 sequences of %2 tokens</source>
        <translation>%1 个 %2 个 token 的序列</translation>
    </message>
    <message>
        <source>%1 fit.</source>
        <translation>%1：放得下。</translation>
    </message>
    <message>
        <source>%1 do not fit.</source>
        <translation>%1：放不下。</translation>
    </message>
    <message>
        <source>%1 fits.</source>
        <translation>%1：放得下。</translation>
    </message>
    <message>
        <source>%1 does not fit.</source>
        <translation>%1：放不下。</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%2 时 %1</translation>
    </message>
    <message>
        <source>any number</source>
        <translation>任意多个</translation>
    </message>
    <message>
        <source>Most sequences that fit: %1 tokens.</source>
        <translation>放得下的最多序列数：%1 个 token。</translation>
    </message>
    <message>
        <source>From %1 tokens on: %2.</source>
        <translation>从 %1 个 token 起：%2。</translation>
    </message>
    <message>
        <source>half or more left</source>
        <translation>剩余一半以上</translation>
    </message>
    <message>
        <source>10 to 50 % left</source>
        <translation>剩余 10 到 50 %</translation>
    </message>
    <message>
        <source>under 10 % left</source>
        <translation>剩余不到 10 %</translation>
    </message>
    <message>
        <source>up to twice too many</source>
        <translation>超出不到一倍</translation>
    </message>
    <message>
        <source>more than twice</source>
        <translation>超出一倍以上</translation>
    </message>
    <message>
        <source>%1 × %2 tokens</source>
        <translation>%1 × %2 个 token</translation>
    </message>
    <message>
        <source>Not taken by %1</source>
        <translation>%1 不支持</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无上限</translation>
    </message>
    <message>
        <source>Fits, headroom</source>
        <translation>放得下，余量</translation>
    </message>
    <message>
        <source>%1 · %2 more</source>
        <translation>%1 · 还可加 %2</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>%1 too many</source>
        <translation>多了 %1</translation>
    </message>
    <message>
        <source>Most sequences here</source>
        <translation>此处最多序列数</translation>
    </message>
    <message>
        <source>A sequence, fullest GPU</source>
        <translation>一个序列，最满 GPU</translation>
    </message>
    <message>
        <source>%1 B</source>
        <translation>%1 B</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Most sequences</source>
        <translation>最多序列数</translation>
    </message>
    <message>
        <source>%1 fit</source>
        <translation>放得下 %1</translation>
    </message>
    <message>
        <source>not taken</source>
        <translation>不支持</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>The map is being counted …</source>
        <translation>正在计算容量图…</translation>
    </message>
    <message>
        <source>context per sequence, against sequences at once</source>
        <translation>横轴：每个序列的上下文；纵轴：同时的序列数</translation>
    </message>
    <message>
        <source>model’s limit</source>
        <translation>模型上限</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
</context>
<context>
    <name>kv::FleetPanel</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>The load is given by</source>
        <translation>负载的给出方式</translation>
    </message>
    <message>
        <source>By Users</source>
        <translation>按用户</translation>
    </message>
    <message>
        <source>Users at the same time</source>
        <translation>同时在线的用户数</translation>
    </message>
    <message>
        <source>By Requests</source>
        <translation>按请求</translation>
    </message>
    <message>
        <source>Requests a second, and the seconds that one takes</source>
        <translation>每秒请求数，以及每个请求的秒数</translation>
    </message>
    <message>
        <source>Sequences in flight at the same time, over the whole fleet.</source>
        <translation>整个集群同时进行中的序列数。</translation>
    </message>
    <message>
        <source>Requests a second</source>
        <translation>每秒请求数</translation>
    </message>
    <message>
        <source>Requests that come in each second, over the whole fleet.</source>
        <translation>整个集群每秒到来的请求数。</translation>
    </message>
    <message>
        <source>Seconds a request</source>
        <translation>每个请求的秒数</translation>
    </message>
    <message>
        <source>How long one request takes from its arrival to its last token.</source>
        <translation>一个请求从到达到最后一个 token 的时间。</translation>
    </message>
    <message>
        <source>Deployments that may be down</source>
        <translation>可失效的部署数</translation>
    </message>
    <message>
        <source>The load is still served with so many of them lost.</source>
        <translation>失去这么多部署后仍能承担负载。</translation>
    </message>
    <message>
        <source>Price of a GPU-hour</source>
        <translation>每 GPU 小时价格</translation>
    </message>
    <message>
        <source>Your own price, in any currency; kept in the scenario.</source>
        <translation>你自己的价格，任意货币；保存在方案中。</translation>
    </message>
    <message>
        <source>Change Fleet&apos;s Users</source>
        <translation>更改集群用户数</translation>
    </message>
    <message>
        <source>Change Fleet&apos;s Requests</source>
        <translation>更改集群请求数</translation>
    </message>
    <message>
        <source>Change Seconds a Request</source>
        <translation>更改每个请求的秒数</translation>
    </message>
    <message>
        <source>Change Deployments Down</source>
        <translation>更改可失效的部署数</translation>
    </message>
    <message>
        <source>Change Price</source>
        <translation>更改价格</translation>
    </message>
    <message>
        <source>Change Fleet&apos;s Load</source>
        <translation>更改集群负载</translation>
    </message>
    <message>
        <source>Give the requests a second and the seconds that one takes: their product is the users at the same time.</source>
        <translation>给出每秒请求数和每个请求的秒数：两者之积就是同时在线的用户数。</translation>
    </message>
    <message>
        <source>Give the users at the same time to see how many deployments serve them.</source>
        <translation>给出同时在线的用户数，即可看到需要多少个部署。</translation>
    </message>
    <message>
        <source>One deployment holds, in 99 of 100 cases</source>
        <translation>一个部署可容纳，100 次中有 99 次</translation>
    </message>
    <message>
        <source>One deployment holds</source>
        <translation>一个部署可容纳</translation>
    </message>
    <message>
        <source>Deployments</source>
        <translation>部署数</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点数</translation>
    </message>
    <message>
        <source>Headroom at p99</source>
        <translation>p99 余量</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>余量</translation>
    </message>
    <message>
        <source>Headroom with %1 down</source>
        <translation>%1 个失效时的余量</translation>
    </message>
    <message>
        <source>Price an hour</source>
        <translation>每小时价格</translation>
    </message>
    <message>
        <source>Users at the same time, on average</source>
        <translation>平均同时在线用户数</translation>
    </message>
    <message>
        <source>In 99 of 100 moments, arriving at random</source>
        <translation>随机到达时，100 个时刻中有 99 个不超过</translation>
    </message>
    <message>
        <source>%1, on %2 deployments</source>
        <translation>%1，用 %2 套部署</translation>
    </message>
    <message>
        <source>Carries on average at most, requests a second</source>
        <translation>平均每秒最多承载的请求数</translation>
    </message>
</context>
<context>
    <name>kv::FloorPanel</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>1 sequence</source>
        <translation>1 个序列</translation>
    </message>
    <message>
        <source>%1 sequences</source>
        <translation>%1 个序列</translation>
    </message>
    <message>
        <source>Read each step</source>
        <translation>每步读取</translation>
    </message>
    <message>
        <source>For %1 a replica, by memory bandwidth alone, one step after the other and without drafting: computing and exchange between GPUs come on top.</source>
        <translation>每个副本 %1，只考虑显存带宽，逐步解码、不用草稿：计算和 GPU 之间的交换另算。</translation>
    </message>
    <message>
        <source>Weights %1</source>
        <translation>权重 %1</translation>
    </message>
    <message>
        <source>KV %1</source>
        <translation>KV %1</translation>
    </message>
    <message>
        <source>Least time a token</source>
        <translation>每个 token 最短时间</translation>
    </message>
    <message>
        <source>Most tokens a second</source>
        <translation>每秒最多 token 数</translation>
    </message>
    <message>
        <source>KV outweighs the weights</source>
        <translation>KV 超过权重</translation>
    </message>
    <message>
        <source>from %1 on</source>
        <translation>从 %1起</translation>
    </message>
    <message>
        <source>at no batch</source>
        <translation>任何批大小都不会</translation>
    </message>
    <message>
        <source>Experts touched</source>
        <translation>用到的专家</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>kv::GpuBars</name>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>the computer&apos;s own memory</source>
        <translation>计算机自己的内存</translation>
    </message>
    <message>
        <source>Nothing to draw: %1</source>
        <translation>没有可画的内容：%1</translation>
    </message>
    <message>
        <source>No GPU to draw.</source>
        <translation>没有可画的 GPU。</translation>
    </message>
    <message>
        <source>A figure is out of range.</source>
        <translation>有数字超出范围。</translation>
    </message>
    <message>
        <source>and %1 more GPUs, none of them fuller</source>
        <translation>另有 %1 个 GPU，都不更满</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>GPU %1 (%2 alike)</source>
        <translation>GPU %1（%2 个相同）</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Draft, LoRA</source>
        <translation>草稿、LoRA</translation>
    </message>
    <message>
        <source>Draft model</source>
        <translation>草稿模型</translation>
    </message>
    <message>
        <source>LoRA slots</source>
        <translation>LoRA 槽位</translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation>开销</translation>
    </message>
    <message>
        <source>Display</source>
        <translation>显示占用</translation>
    </message>
    <message>
        <source>KV in use</source>
        <translation>使用中的 KV</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>KV idle</source>
        <translation>空闲 KV</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Withheld</source>
        <translation>引擎预留</translation>
    </message>
    <message>
        <source>Reserve</source>
        <translation>预留</translation>
    </message>
    <message>
        <source>Short</source>
        <translation>缺口</translation>
    </message>
    <message>
        <source>%1 ± %2</source>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <source>%1, estimated</source>
        <translation>%1，估算</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>short %1</source>
        <translation>缺 %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1：%3 中的 %2</translation>
    </message>
    <message>
        <source>its KV repeats another GPU&apos;s</source>
        <translation>其 KV 与另一个 GPU 重复</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>%1, %2 of memory: %3.</source>
        <translation>%1，显存 %2：%3。</translation>
    </message>
    <message>
        <source>%1 GPUs alike.</source>
        <translation>%1 个相同的 GPU。</translation>
    </message>
    <message>
        <source>The table has %1 bars in all.</source>
        <translation>表格中共有 %1 条。</translation>
    </message>
</context>
<context>
    <name>kv::GpuChart</name>
    <message>
        <source>Memory of each GPU</source>
        <translation>每个 GPU 的显存</translation>
    </message>
</context>
<context>
    <name>kv::GpuView</name>
    <message>
        <source>Memory of each GPU</source>
        <translation>每个 GPU 的显存</translation>
    </message>
    <message>
        <source>Repeats another&apos;s KV</source>
        <translation>重复保存其他 GPU 的 KV</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Its KV repeats another GPU&apos;s</source>
        <translation>其 KV 与另一个 GPU 重复</translation>
    </message>
</context>
<context>
    <name>kv::GrowthChart</name>
    <message>
        <source>Growth with context</source>
        <translation>随上下文增长</translation>
    </message>
</context>
<context>
    <name>kv::GrowthPicture</name>
    <message>
        <source>Nothing to draw: %1</source>
        <translation>没有可画的内容：%1</translation>
    </message>
    <message>
        <source>A figure is out of range.</source>
        <translation>有数字超出范围。</translation>
    </message>
    <message>
        <source>No curve to draw.</source>
        <translation>没有可画的曲线。</translation>
    </message>
    <message>
        <source>on 1 GPU</source>
        <translation>1 个 GPU</translation>
    </message>
    <message>
        <source>on %1 GPUs</source>
        <translation>%1 个 GPU</translation>
    </message>
    <message>
        <source>no room for KV %1: %2 short without any</source>
        <translation>%1没有留给 KV 的空间：不放 KV 就已缺 %2</translation>
    </message>
    <message>
        <source>no room for KV %1</source>
        <translation>%1没有留给 KV 的空间</translation>
    </message>
    <message>
        <source>%1 left for KV %2</source>
        <translation>%2 上为 KV 剩 %1</translation>
    </message>
    <message>
        <source>↑ %1, above this picture</source>
        <translation>↑ %1，在此图上方</translation>
    </message>
    <message>
        <source>you are here · %1</source>
        <translation>当前位置 · %1</translation>
    </message>
    <message>
        <source>At %1 tokens the KV cache takes %2 as %3.</source>
        <translation>在 %1 个 token 时，以 %3 保存的 KV 缓存占 %2。</translation>
    </message>
    <message>
        <source>%1 as %2</source>
        <translation>以 %2 保存为 %1</translation>
    </message>
    <message>
        <source>It would take %1.</source>
        <translation>将占 %1。</translation>
    </message>
    <message>
        <source>The model’s limit is %1 tokens.</source>
        <translation>模型上限是 %1 个 token。</translation>
    </message>
    <message>
        <source>With %1 it would take %2 of %3.</source>
        <translation>用 %1 将占 %3 中的 %2。</translation>
    </message>
</context>
<context>
    <name>kv::GrowthView</name>
    <message>
        <source>model’s limit</source>
        <translation>模型上限</translation>
    </message>
    <message>
        <source>Growth with context</source>
        <translation>随上下文增长</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个 token</translation>
    </message>
    <message>
        <source>Left for KV</source>
        <translation>留给 KV</translation>
    </message>
</context>
<context>
    <name>kv::HardwarePanel</name>
    <message>
        <source>Hardw&amp;are</source>
        <translation>硬件(&amp;A)</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>The accelerator that the model runs on.</source>
        <translation>运行模型的加速卡。</translation>
    </message>
    <message>
        <source>The accelerator, with its memory. The textbook counts the memory that the box states, in GB of 10⁹ bytes; the engines count what a program gets. Type a name, a maker or a size to search.</source>
        <translation>加速卡及其显存。教科书公式按包装上的显存（10⁹ 字节的 GB）计算；引擎按程序实际得到的计算。输入名称、厂商或大小即可搜索。</translation>
    </message>
    <message>
        <source>Search %1 accelerators</source>
        <translation>搜索 %1 种加速卡</translation>
    </message>
    <message>
        <source>&amp;GPUs</source>
        <translation>GPU(&amp;G)</translation>
    </message>
    <message>
        <source>Number of GPUs</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>How many GPUs in all.</source>
        <translation>共有多少个 GPU。</translation>
    </message>
    <message>
        <source>All GPUs of the deployment: TP × PP × DP.</source>
        <translation>部署的全部 GPU：TP × PP × DP。</translation>
    </message>
    <message>
        <source>&amp;TP</source>
        <translation>TP(&amp;T)</translation>
    </message>
    <message>
        <source>Tensor parallel degree</source>
        <translation>张量并行度</translation>
    </message>
    <message>
        <source>Tensor parallel: GPUs that share every layer.</source>
        <translation>张量并行：多个 GPU 分担每一层。</translation>
    </message>
    <message>
        <source>Each layer is cut over this many GPUs; where it exceeds the KV heads, engines keep copies of them.</source>
        <translation>每一层切分到这么多 GPU 上；超过 KV 头数时，引擎会保存它们的副本。</translation>
    </message>
    <message>
        <source>&amp;PP</source>
        <translation>PP(&amp;P)</translation>
    </message>
    <message>
        <source>Pipeline parallel degree</source>
        <translation>流水线并行度</translation>
    </message>
    <message>
        <source>Pipeline parallel: stages that hold a part of the layers each.</source>
        <translation>流水线并行：每级各放一部分层。</translation>
    </message>
    <message>
        <source>The layers are dealt to this many stages; each stage caches for its own layers.</source>
        <translation>各层分给这么多级；每级只缓存自己的层。</translation>
    </message>
    <message>
        <source>&amp;DP</source>
        <translation>DP(&amp;D)</translation>
    </message>
    <message>
        <source>Data parallel degree</source>
        <translation>数据并行度</translation>
    </message>
    <message>
        <source>Data parallel: copies of the whole model.</source>
        <translation>数据并行：整个模型的副本。</translation>
    </message>
    <message>
        <source>This many replicas, each with all weights, share out the sequences.</source>
        <translation>这么多副本各有全部权重，分担各序列。</translation>
    </message>
    <message>
        <source>&amp;Reserve</source>
        <translation>预留(&amp;R)</translation>
    </message>
    <message>
        <source>Reserve</source>
        <translation>预留</translation>
    </message>
    <message>
        <source>The share of each GPU&apos;s memory that is not planned with.</source>
        <translation>每个 GPU 上不参与规划的显存份额。</translation>
    </message>
    <message>
        <source>Room for activations, fragments and what else runs on the card. The textbook takes it off the stated memory; engines have their own setting in its place.</source>
        <translation>留给激活值、碎片和卡上其他程序。教科书公式从标称显存中扣除；引擎用自己的设置代替它。</translation>
    </message>
    <message>
        <source>Change Number of GPUs</source>
        <translation>更改 GPU 数</translation>
    </message>
    <message>
        <source>Change Tensor Parallelism</source>
        <translation>更改张量并行</translation>
    </message>
    <message>
        <source>Change Pipeline Parallelism</source>
        <translation>更改流水线并行</translation>
    </message>
    <message>
        <source>Change Data Parallelism</source>
        <translation>更改数据并行</translation>
    </message>
    <message>
        <source>Change Reserve</source>
        <translation>更改预留</translation>
    </message>
    <message>
        <source>Change Card</source>
        <translation>更改卡</translation>
    </message>
    <message>
        <source>Change Number of Cards</source>
        <translation>更改卡数</translation>
    </message>
    <message>
        <source>Take Card Out</source>
        <translation>去掉一种卡</translation>
    </message>
    <message>
        <source>Add Kind of Card</source>
        <translation>添加一种卡</translation>
    </message>
    <message>
        <source>Change GPU</source>
        <translation>更改 GPU</translation>
    </message>
    <message>
        <source>Asking the drivers of this machine…</source>
        <translation>正在询问本机的驱动…</translation>
    </message>
    <message>
        <source>No GPU was found.</source>
        <translation>没有找到 GPU。</translation>
    </message>
    <message>
        <source>%1 was not in the list and stands among your own GPUs now.</source>
        <translation>%1 不在列表中，现已列入你自己的 GPU。</translation>
    </message>
    <message>
        <source>Take This Machine</source>
        <translation>采用本机</translation>
    </message>
    <message>
        <source>%1 by hand</source>
        <translation>手动设为 %1</translation>
    </message>
</context>
<context>
    <name>kv::Help</name>
    <message>
        <source>Keyboard Shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Menus</source>
        <translation>菜单</translation>
    </message>
    <message>
        <source>On a slider</source>
        <translation>在滑块上</translation>
    </message>
    <message>
        <source>One step</source>
        <translation>一步</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>左、右</translation>
    </message>
    <message>
        <source>Double, halve</source>
        <translation>加倍、减半</translation>
    </message>
    <message>
        <source>Page Up, Page Down</source>
        <translation>Page Up、Page Down</translation>
    </message>
    <message>
        <source>To the ends</source>
        <translation>到两端</translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation>Home、End</translation>
    </message>
    <message>
        <source>Give a drag up</source>
        <translation>放弃拖动</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>In an entry</source>
        <translation>在输入框中</translation>
    </message>
    <message>
        <source>Take what is typed</source>
        <translation>采用输入</translation>
    </message>
    <message>
        <source>Return, Tab</source>
        <translation>回车、Tab</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>上、下</translation>
    </message>
    <message>
        <source>Give what is typed up</source>
        <translation>放弃输入</translation>
    </message>
    <message>
        <source>On a list</source>
        <translation>在列表上</translation>
    </message>
    <message>
        <source>Open it, search in it</source>
        <translation>打开并搜索</translation>
    </message>
    <message>
        <source>Down, any letter</source>
        <translation>下、任意字母</translation>
    </message>
    <message>
        <source>On a chart</source>
        <translation>在图表上</translation>
    </message>
    <message>
        <source>From value to value</source>
        <translation>逐个查看数值</translation>
    </message>
    <message>
        <source>Left, Right, Up, Down</source>
        <translation>左、右、上、下</translation>
    </message>
    <message>
        <source>About KV Planner</source>
        <translation>关于 KV Planner</translation>
    </message>
    <message>
        <source>KV Planner %1</source>
        <translation>KV Planner %1</translation>
    </message>
    <message>
        <source>Does it fit, and how many users? Plans the memory of serving large language models.</source>
        <translation>放得下吗？能服务多少用户？为大语言模型服务规划内存。</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later. It comes without any warranty. Made with Qt %1, Qt Charts, nlohmann_json and CLI11.</source>
        <translation>自由软件，按 GNU 通用公共许可证第 3 版或更新版本发布，不附带任何担保。使用 Qt %1、Qt Charts、nlohmann_json 和 CLI11 制作。</translation>
    </message>
    <message>
        <source>Accuracy and Limits</source>
        <translation>准确性与局限</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Cases</source>
        <translation>用例</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>完全一致</translation>
    </message>
    <message>
        <source>Within 1 %</source>
        <translation>误差 1 % 以内</translation>
    </message>
</context>
<context>
    <name>kv::HubChoice</name>
    <message>
        <source>%1 holds no config.json and no GGUF file, so that nothing says how its attention is built.</source>
        <translation>%1 没有 config.json，也没有 GGUF 文件，无法得知其注意力的结构。</translation>
    </message>
    <message>
        <source>%1 is an adapter to another model (it has an adapter_config.json and no config.json): name that model.</source>
        <translation>%1 是另一个模型的适配器（有 adapter_config.json，没有 config.json）：请指明那个模型。</translation>
    </message>
    <message>
        <source>%1 is a pipeline of the diffusers library, which keeps no KV cache.</source>
        <translation>%1 是 diffusers 库的流水线，没有 KV 缓存。</translation>
    </message>
    <message>
        <source>%1 has no GGUF file “%2” at “%3”.</source>
        <translation>%1 在“%3”没有 GGUF 文件“%2”。</translation>
    </message>
    <message>
        <source>%1 has no file %2 at “%3”.</source>
        <translation>%1 在“%3”没有文件 %2。</translation>
    </message>
</context>
<context>
    <name>kv::HubDialog</name>
    <message>
        <source>&amp;Fetch</source>
        <translation>获取(&amp;F)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>From the Hub</source>
        <translation>从 Hub 获取</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>Model on the Hub</source>
        <translation>Hub 上的模型</translation>
    </message>
    <message>
        <source>The model’s name on the Hub, or the address of its page</source>
        <translation>模型在 Hub 上的名称，或其页面地址</translation>
    </message>
    <message>
        <source>The model as the Hub calls it: maker/name, maker/name@revision, hf://maker/name, or the address of its page or of one of its files. Names that were fetched before are offered.</source>
        <translation>按 Hub 上的写法：maker/name、maker/name@revision、hf://maker/name，或页面地址、其中某个文件的地址。会提示之前获取过的名称。</translation>
    </message>
    <message>
        <source>For example Qwen/Qwen3-32B, meta-llama/Llama-3.1-8B@main, or https://huggingface.co/…</source>
        <translation>例如 Qwen/Qwen3-32B、meta-llama/Llama-3.1-8B@main 或 https://huggingface.co/…</translation>
    </message>
    <message>
        <source>Models in this repository</source>
        <translation>此仓库中的模型</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>%1 is set: nothing is fetched, only what is on this machine is opened.</source>
        <translation>已设置 %1：不联网获取，只打开本机已有的内容。</translation>
    </message>
    <message>
        <source>Fetched from %1: the config and the headers of the weights, never the weights themselves; most often less than a megabyte. It is kept, and opens without a network later.</source>
        <translation>从 %1 获取：config 和权重文件头，从不下载权重本身；通常不到 1 MB。会保存下来，以后无需联网即可打开。</translation>
    </message>
    <message>
        <source>Your access token is sent to this host and to no other.</source>
        <translation>你的访问令牌只发送给这台主机。</translation>
    </message>
    <message>
        <source>Cancelled; nothing was changed.</source>
        <translation>已取消，没有任何改动。</translation>
    </message>
    <message>
        <source>The list of files · %1</source>
        <translation>文件列表 · %1</translation>
    </message>
    <message>
        <source>%1 · %2 in all</source>
        <translation>%1 · 共 %2</translation>
    </message>
    <message>
        <source>Nothing was fetched.</source>
        <translation>没有获取任何内容。</translation>
    </message>
    <message>
        <source>This repository holds several models: choose one.</source>
        <translation>此仓库有多个模型：请选择一个。</translation>
    </message>
    <message>
        <source>Asking %1…</source>
        <translation>正在询问 %1…</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>拒绝</translation>
    </message>
</context>
<context>
    <name>kv::HubDownload</name>
    <message>
        <source>the next is no address.</source>
        <translation>下一个不是地址。</translation>
    </message>
    <message>
        <source>the next is not encrypted, which is not followed.</source>
        <translation>下一个没有加密，不予跟随。</translation>
    </message>
    <message>
        <source>this system has no TLS library that Qt can use.</source>
        <translation>本系统没有 Qt 可用的 TLS 库。</translation>
    </message>
    <message>
        <source> (%1 bytes, at most %2 are read)</source>
        <translation>（%1 字节，最多读取 %2）</translation>
    </message>
    <message>
        <source>another part of the file.</source>
        <translation>文件的另一部分。</translation>
    </message>
    <message>
        <source>, and the server sends no parts of files</source>
        <translation>，且服务器不发送文件的部分内容</translation>
    </message>
    <message>
        <source>a page without an end.</source>
        <translation>没有结尾的页面。</translation>
    </message>
    <message>
        <source> (at most %1 bytes are read)</source>
        <translation>（最多读取 %1 字节）</translation>
    </message>
    <message>
        <source>more than five times.</source>
        <translation>超过五次。</translation>
    </message>
    <message>
        <source>the next is a %1: address, which is not followed.</source>
        <translation>下一个是 %1: 地址，不予跟随。</translation>
    </message>
</context>
<context>
    <name>kv::HubFault</name>
    <message>
        <source>Try again in a few minutes.</source>
        <translation>请几分钟后再试。</translation>
    </message>
    <message>
        <source>Try again in %1 minutes.</source>
        <translation>请 %1 分钟后再试。</translation>
    </message>
    <message>
        <source>The access token was not sent, because %1 is not encrypted.</source>
        <translation>没有发送访问令牌，因为 %1 没有加密。</translation>
    </message>
    <message>
        <source>Set HF_TOKEN to a token of an account that may read it, and start the program anew.</source>
        <translation>请把 HF_TOKEN 设为有权读取它的账号的令牌，然后重新启动程序。</translation>
    </message>
    <message>
        <source>The account of the token that is set must have that access.</source>
        <translation>所设令牌的账号必须有该权限。</translation>
    </message>
    <message>
        <source>%1 has no revision “%2”. Name another branch, tag or commit behind the @.</source>
        <translation>%1 没有版本“%2”。请在 @ 之后写另一个分支、标签或提交。</translation>
    </message>
    <message>
        <source>%1 has no file %2 at “%3”.</source>
        <translation>%1 在“%3”没有文件 %2。</translation>
    </message>
    <message>
        <source>%1 has no model %2, or it has no revision “%3”. Check how both are written.</source>
        <translation>%1 没有模型 %2，或它没有版本“%3”。请检查两者的写法。</translation>
    </message>
    <message>
        <source>%1 has no model %2, or it is private. Check how it is written. %3</source>
        <translation>%1 没有模型 %2，或它是私有的。请检查写法。%3</translation>
    </message>
    <message>
        <source>For a private one set HF_TOKEN, and start the program anew.</source>
        <translation>私有模型请设置 HF_TOKEN，然后重新启动程序。</translation>
    </message>
    <message>
        <source>The token that is set must be allowed to read it.</source>
        <translation>所设的令牌必须有权读取它。</translation>
    </message>
    <message>
        <source>%1 is given out only to who has accepted its licence: do so at %2. %3</source>
        <translation>%1 只提供给接受其许可证的人：请在 %2 接受。%3</translation>
    </message>
    <message>
        <source>%1 takes no more requests from here for now. %2</source>
        <translation>%1 暂时不再接受来自这里的请求。%2</translation>
    </message>
    <message>
        <source>The proxy asks for a name and a password. They belong into the proxy’s address, such as https_proxy=http://name:password@host:3128.</source>
        <translation>代理需要用户名和密码。请写在代理地址中，例如 https_proxy=http://name:password@host:3128。</translation>
    </message>
    <message>
        <source>%1 has a fault of its own (status %2). Try again later.</source>
        <translation>%1 自身出错（状态 %2）。请稍后再试。</translation>
    </message>
    <message>
        <source>%1 refused %2 with the status %3.</source>
        <translation>%1 拒绝了 %2，状态 %3。</translation>
    </message>
    <message>
        <source>Fetching %1 was cancelled; nothing was changed.</source>
        <translation>已取消获取 %1，没有任何改动。</translation>
    </message>
    <message>
        <source>The host %1 was not found. Is this machine connected to the network, and is a proxy needed (https_proxy)?</source>
        <translation>找不到主机 %1。本机是否联网，是否需要代理（https_proxy）？</translation>
    </message>
    <message>
        <source>%1 cannot be reached. Is this machine connected to the network, and is a proxy needed (https_proxy)?</source>
        <translation>无法连接 %1。本机是否联网，是否需要代理（https_proxy）？</translation>
    </message>
    <message>
        <source>The proxy did not lead to %1. Check https_proxy and no_proxy, or the desktop’s settings of the network.</source>
        <translation>代理没有通向 %1。请检查 https_proxy 和 no_proxy，或桌面的网络设置。</translation>
    </message>
    <message>
        <source>There is no safe connection to %1: %2 Nothing was fetched.</source>
        <translation>与 %1 之间没有安全连接：%2没有获取任何内容。</translation>
    </message>
    <message>
        <source>%1 fell silent while %2 was fetched. Try again later.</source>
        <translation>获取 %2 时 %1 没有响应。请稍后再试。</translation>
    </message>
    <message>
        <source>The connection to %1 broke off in the middle of %2; nothing was kept of it. Try again.</source>
        <translation>传输 %2 时与 %1 的连接中断；没有保留任何内容。请再试一次。</translation>
    </message>
    <message>
        <source>%1 is larger than such a file can be%2; it was not fetched.</source>
        <translation>%1 超过这类文件的上限%2；没有获取。</translation>
    </message>
    <message>
        <source>What %1 sent for %2 is not what was asked for: %3</source>
        <translation>%1 针对 %2 返回的不是所请求的内容：%3</translation>
    </message>
    <message>
        <source>%1 leads from one address to the next: %2 Nothing was fetched.</source>
        <translation>%1 一再转到其他地址：%2没有获取任何内容。</translation>
    </message>
    <message>
        <source>Try again in a second.</source>
        <translation>请 1 秒后再试。</translation>
    </message>
    <message>
        <source>Try again in %1 seconds.</source>
        <translation>请 %1 秒后再试。</translation>
    </message>
    <message>
        <source>%1 has no revision “%2”. A slash within a revision’s name is written %3, such as %4.</source>
        <translation>%1 没有版本“%2”。版本名称中的斜杠写作 %3，例如 %4。</translation>
    </message>
    <message>
        <source>%1 has been disabled, by its author or by %2: nobody can fetch it.</source>
        <translation>%1 已被停用（由作者或 %2）：任何人都无法获取。</translation>
    </message>
    <message>
        <source>%1 sends %2 so slowly that it would not end. Try again later.</source>
        <translation>%1 发送 %2 的速度过慢，无法完成。请稍后再试。</translation>
    </message>
</context>
<context>
    <name>kv::HubFetch</name>
    <message>
        <source>%1 is not on this machine, and %2 forbids the network: unset it to fetch the model.</source>
        <translation>%1 不在本机，而 %2 禁止联网：取消该设置即可获取模型。</translation>
    </message>
    <message>
        <source>%1 The model is shown as it was fetched earlier.</source>
        <translation>%1显示的是之前获取的模型。</translation>
    </message>
    <message>
        <source>a list of its files in JSON was expected. Is this a Hub, or the page of a network that asks to log in?</source>
        <translation>应为 JSON 格式的文件列表。这是 Hub 吗，还是要求登录的网络页面？</translation>
    </message>
    <message>
        <source>%1 is called %2 now.</source>
        <translation>%1 现在的名称是 %2。</translation>
    </message>
    <message>
        <source>%1 cannot be written to, where fetched models are kept.</source>
        <translation>无法写入 %1，获取的模型保存在那里。</translation>
    </message>
    <message>
        <source>a web page, where JSON was expected.</source>
        <translation>应为 JSON，实际是网页。</translation>
    </message>
    <message>
        <source>no JSON object.</source>
        <translation>没有 JSON 对象。</translation>
    </message>
</context>
<context>
    <name>kv::HubHeaders</name>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>, with all that was fetched before it</source>
        <translation>，连同之前获取的全部内容</translation>
    </message>
    <message>
        <source>it is too short for a file of weights.</source>
        <translation>作为权重文件太短。</translation>
    </message>
    <message>
        <source>it does not begin with the header of a safetensors file.</source>
        <translation>开头不是 safetensors 文件头。</translation>
    </message>
    <message>
        <source>it ends inside its header.</source>
        <translation>在文件头中间就结束了。</translation>
    </message>
    <message>
        <source>, before its header ends</source>
        <translation>，文件头尚未结束</translation>
    </message>
</context>
<context>
    <name>kv::HubName</name>
    <message>
        <source>Name a model as the Hub does: maker/name, for example Qwen/Qwen3-32B.</source>
        <translation>请按 Hub 的写法给出模型：maker/name，例如 Qwen/Qwen3-32B。</translation>
    </message>
    <message>
        <source>This is too long for a model’s name or address.</source>
        <translation>作为模型名称或地址太长。</translation>
    </message>
    <message>
        <source>This looks like an access token, not like a model. A token belongs into the variable HF_TOKEN.</source>
        <translation>这看起来是访问令牌，不是模型。令牌应放在变量 HF_TOKEN 中。</translation>
    </message>
    <message>
        <source>This is a path on this machine; “Open…” opens it. A model on the Hub is called maker/name.</source>
        <translation>这是本机的路径；请用“打开…”。Hub 上的模型写作 maker/name。</translation>
    </message>
    <message>
        <source>This is no valid address. A model’s address is like https://huggingface.co/Qwen/Qwen3-32B.</source>
        <translation>这不是有效地址。模型地址形如 https://huggingface.co/Qwen/Qwen3-32B。</translation>
    </message>
    <message>
        <source>An address on the Hub begins with https:// or hf://, not with %1://.</source>
        <translation>Hub 上的地址以 https:// 或 hf:// 开头，而不是 %1://。</translation>
    </message>
    <message>
        <source>An address with a name or a password in it is not taken; a token belongs into the variable HF_TOKEN.</source>
        <translation>不接受含有用户名或密码的地址；令牌应放在变量 HF_TOKEN 中。</translation>
    </message>
    <message>
        <source>%1 is not the Hub that is asked, which is %2. The variable HF_ENDPOINT names another one.</source>
        <translation>%1 不是所用的 Hub，后者是 %2。变量 HF_ENDPOINT 可指定另一个。</translation>
    </message>
    <message>
        <source>This address names no model; a model’s address is like https://huggingface.co/Qwen/Qwen3-32B.</source>
        <translation>该地址没有指明模型；模型地址形如 https://huggingface.co/Qwen/Qwen3-32B。</translation>
    </message>
    <message>
        <source>Behind the @ a branch, a tag or a commit is missing.</source>
        <translation>@ 之后缺少分支、标签或提交。</translation>
    </message>
    <message>
        <source>This is a data set, not a model.</source>
        <translation>这是数据集，不是模型。</translation>
    </message>
    <message>
        <source>This is a Space, not a model.</source>
        <translation>这是 Space，不是模型。</translation>
    </message>
    <message>
        <source>This address leads to “%1”, not to a model; a model’s address is like https://huggingface.co/Qwen/Qwen3-32B.</source>
        <translation>该地址指向“%1”，不是模型；模型地址形如 https://huggingface.co/Qwen/Qwen3-32B。</translation>
    </message>
    <message>
        <source>“%1” is no name of a model: expected maker/name in letters, digits, “-”, “_” and “.”, for example Qwen/Qwen3-32B.</source>
        <translation>“%1”不是模型名称：应为 maker/name，由字母、数字、“-”“_”“.”组成，例如 Qwen/Qwen3-32B。</translation>
    </message>
    <message>
        <source>“%1” is no name of a branch, a tag or a commit.</source>
        <translation>“%1”不是分支、标签或提交的名称。</translation>
    </message>
    <message>
        <source>“%1” is no file of a repository.</source>
        <translation>“%1”不是仓库中的文件。</translation>
    </message>
    <message>
        <source>“%1” is no name of a quantisation, such as Q4_K_M.</source>
        <translation>“%1”不是量化的名称，例如 Q4_K_M。</translation>
    </message>
</context>
<context>
    <name>kv::HubSettings</name>
    <message>
        <source>The variable HF_ENDPOINT must hold the address of a Hub and nothing else, such as https://huggingface.co.</source>
        <translation>变量 HF_ENDPOINT 只能是 Hub 的地址，例如 https://huggingface.co。</translation>
    </message>
    <message>
        <source>The file that HF_TOKEN_PATH names cannot be read, so that no token is used.</source>
        <translation>无法读取 HF_TOKEN_PATH 所指的文件，因此不使用令牌。</translation>
    </message>
    <message>
        <source>What %1 holds is no access token: it has spaces or letters that no token has. It is not used.</source>
        <translation>%1 的内容不是访问令牌：其中有令牌不会有的空格或字符。不使用它。</translation>
    </message>
    <message>
        <source>What %1 (or all_proxy) holds is no address of a proxy, such as http://host:3128. No proxy is used.</source>
        <translation>%1（或 all_proxy）的内容不是代理地址（例如 http://host:3128）。不使用代理。</translation>
    </message>
</context>
<context>
    <name>kv::Language</name>
    <message>
        <source>English</source>
        <extracomment>The name of the translation&apos;s own language, as its speakers write it; the menu shows it.</extracomment>
        <translation>简体中文</translation>
    </message>
</context>
<context>
    <name>kv::LaunchBar</name>
    <message>
        <source>Cop&amp;y</source>
        <translation>复制(&amp;Y)</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>The flags of this engine for what is planned; a flag that would only repeat the engine&apos;s default is left out.</source>
        <translation>该引擎在此规划下的参数；只会重复引擎默认值的参数已省略。</translation>
    </message>
    <message>
        <source>Launch command</source>
        <translation>启动命令</translation>
    </message>
    <message>
        <source>The command that starts this engine as planned.</source>
        <translation>按此规划启动该引擎的命令。</translation>
    </message>
    <message>
        <source>Copy the launch command</source>
        <translation>复制启动命令</translation>
    </message>
    <message>
        <source>Copy the launch command.</source>
        <translation>复制启动命令。</translation>
    </message>
    <message>
        <source>Paste a launch command</source>
        <translation>粘贴启动命令</translation>
    </message>
    <message>
        <source>Set the scenario from a launch command on the clipboard.</source>
        <translation>按剪贴板中的启动命令设置方案。</translation>
    </message>
    <message>
        <source>A line of vllm serve, sglang.launch_server, trtllm-serve or llama-server is read, never run. Undo takes it back.</source>
        <translation>读取 vllm serve、sglang.launch_server、trtllm-serve 或 llama-server 的命令行，但从不运行。可撤销。</translation>
    </message>
</context>
<context>
    <name>kv::LayerStrip</name>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Every layer and what it keeps. Point at one, or move with the arrow keys.</source>
        <translation>每一层及其保留的内容。指向某一层，或用方向键移动。</translation>
    </message>
    <message>
        <source>Every layer of the model by what it caches: full attention grows with each token, a window keeps its last tokens, a recurrent layer keeps a state of fixed size, a feed-forward layer nothing.</source>
        <translation>按缓存内容列出模型的每一层：全注意力随每个 token 增长，窗口保留最后的 token，循环层保留固定大小的状态，前馈层不保留。</translation>
    </message>
    <message numerus="yes">
        <source>%n × %1</source>
        <translation>
            <numerusform>%n × %1</numerusform>
        </translation>
    </message>
    <message>
        <source>shares a cache</source>
        <translation>共享缓存</translation>
    </message>
    <message>
        <source>keeps nothing</source>
        <translation>不保留缓存</translation>
    </message>
    <message>
        <source>%1 layers, %2 a row</source>
        <translation>%1 层，每行 %2 层</translation>
    </message>
</context>
<context>
    <name>kv::LengthsLine</name>
    <message>
        <source>Lengths</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Whether all sequences are as long as the context, or of unlike lengths.</source>
        <translation>所有序列都与上下文一样长，还是长短不一。</translation>
    </message>
    <message>
        <source>Real requests differ: planning with their mean is wrong half of the time, planning with the longest wastes memory. With lengths given, the chart of lengths says how often a number of sequences does not fit.</source>
        <translation>真实的请求长短不一：按平均值规划一半时候会出错，按最长值规划浪费内存。给出长度后，长度图会说明某个序列数有多常放不下。</translation>
    </message>
    <message>
        <source>&amp;All alike</source>
        <translation>全部相同(&amp;A)</translation>
    </message>
    <message>
        <source>Every sequence holds the whole context.</source>
        <translation>每个序列都占满上下文。</translation>
    </message>
    <message>
        <source>By &amp;percentiles</source>
        <translation>按分位数(&amp;P)</translation>
    </message>
    <message>
        <source>Half of the requests are no longer than p50, 99 of 100 no longer than p99.</source>
        <translation>一半的请求不超过 p50，100 个中有 99 个不超过 p99。</translation>
    </message>
    <message>
        <source>A &amp;mix of classes…</source>
        <translation>多个类别混合(&amp;M)…</translation>
    </message>
    <message>
        <source>Kinds of requests, each with its share, input and output.</source>
        <translation>各类请求，各有份额、输入和输出。</translation>
    </message>
    <message>
        <source>From a &amp;trace…</source>
        <translation>来自 trace(&amp;T)…</translation>
    </message>
    <message>
        <source>Real requests: CSV, JSON lines or a benchmark’s result.</source>
        <translation>真实的请求：CSV、JSON lines 或基准测试的结果。</translation>
    </message>
    <message>
        <source>&amp;Columns of the trace…</source>
        <translation>trace 的列(&amp;C)…</translation>
    </message>
    <message>
        <source>Make Lengths Alike</source>
        <translation>长度改为相同</translation>
    </message>
    <message>
        <source>p50</source>
        <translation>p50</translation>
    </message>
    <message>
        <source>p90</source>
        <translation>p90</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>Length that half of the requests do not exceed</source>
        <translation>一半的请求不超过的长度</translation>
    </message>
    <message>
        <source>Length that 90 of 100 requests do not exceed</source>
        <translation>100 个请求中 90 个不超过的长度</translation>
    </message>
    <message>
        <source>Length that 99 of 100 requests do not exceed</source>
        <translation>100 个请求中 99 个不超过的长度</translation>
    </message>
    <message>
        <source>Input and output together, in tokens. The lengths follow a log-normal curve through p50, p90 and p99.</source>
        <translation>输入与输出合计的 token 数。长度服从经过 p50、p90、p99 的对数正态曲线。</translation>
    </message>
    <message>
        <source>Change Lengths</source>
        <translation>更改长度</translation>
    </message>
    <message>
        <source>Set Lengths by Percentiles</source>
        <translation>按分位数设置长度</translation>
    </message>
    <message>
        <source>The percentiles start from the context, at an eighth, a half and all of it: put your own in their place.</source>
        <translation>分位数从上下文的八分之一、一半和全部开始：请改为你自己的值。</translation>
    </message>
    <message>
        <source>Set Request Classes</source>
        <translation>设置请求类别</translation>
    </message>
    <message>
        <source>Lengths: all alike</source>
        <translation>长度：全部相同</translation>
    </message>
    <message>
        <source>Lengths: %1</source>
        <translation>长度：%1</translation>
    </message>
    <message>
        <source>a trace</source>
        <translation>trace</translation>
    </message>
    <message>
        <source>Lengths: by percentiles</source>
        <translation>长度：按分位数</translation>
    </message>
    <message>
        <source>Lengths: one class</source>
        <translation>长度：一个类别</translation>
    </message>
    <message>
        <source>Lengths: %1 classes</source>
        <translation>长度：%1 个类别</translation>
    </message>
    <message>
        <source>1 request</source>
        <translation>1 个请求</translation>
    </message>
    <message>
        <source>%1 requests</source>
        <translation>%1 个请求</translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation>平均 %1</translation>
    </message>
    <message>
        <source>p99 %1</source>
        <translation>p99 %1</translation>
    </message>
    <message>
        <source>many beyond the context</source>
        <translation>许多超过上下文</translation>
    </message>
</context>
<context>
    <name>kv::LengthsView</name>
    <message>
        <source>lengths</source>
        <translation>lengths</translation>
    </message>
    <message>
        <source>KV of all sequences</source>
        <translation>全部序列的 KV</translation>
    </message>
    <message>
        <source>Being added up…</source>
        <translation>正在相加…</translation>
    </message>
    <message>
        <source>These lengths cannot be added up: not every one of them can be planned.</source>
        <translation>这些长度无法相加：并非每一个都能规划。</translation>
    </message>
</context>
<context>
    <name>kv::LessonList</name>
    <message>
        <source>%1, done</source>
        <translation>%1，已完成</translation>
    </message>
</context>
<context>
    <name>kv::LessonPage</name>
    <message>
        <source>Your guess</source>
        <translation>你的猜测</translation>
    </message>
    <message>
        <source>All Lessons</source>
        <translation>全部课程</translation>
    </message>
    <message>
        <source>Back to the list of lessons.</source>
        <translation>回到课程列表。</translation>
    </message>
    <message>
        <source>Reveal</source>
        <translation>揭晓</translation>
    </message>
    <message>
        <source>Show the right answer beside your guess.</source>
        <translation>在你的猜测旁显示正确答案。</translation>
    </message>
    <message>
        <source>Guess Again</source>
        <translation>再猜一次</translation>
    </message>
    <message>
        <source>Hide the answer and guess once more.</source>
        <translation>隐藏答案，再猜一次。</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一课</translation>
    </message>
    <message>
        <source>The lesson before.</source>
        <translation>上一课。</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一课</translation>
    </message>
    <message>
        <source>The next lesson.</source>
        <translation>下一课。</translation>
    </message>
    <message>
        <source>The answers</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Move the bar to your guess or type it, then reveal.</source>
        <translation>把条形移到你的猜测处，或直接输入，然后揭晓。</translation>
    </message>
    <message>
        <source>Your guess, on a logarithmic scale.</source>
        <translation>你的猜测，对数刻度。</translation>
    </message>
    <message>
        <source>What you think before you look.</source>
        <translation>在看答案之前你怎么想。</translation>
    </message>
    <message>
        <source>Your guess as a number, such as 650 kB or 20.</source>
        <translation>用数字给出猜测，例如 650 kB 或 20。</translation>
    </message>
    <message>
        <source>your guess</source>
        <translation>你的猜测</translation>
    </message>
    <message>
        <source>It is %1. Your guess: %2.</source>
        <translation>答案是 %1。你的猜测：%2。</translation>
    </message>
    <message>
        <source>Show GPUs</source>
        <translation>看 GPU</translation>
    </message>
    <message>
        <source>Show Growth</source>
        <translation>看增长</translation>
    </message>
    <message>
        <source>Show Table</source>
        <translation>看表格</translation>
    </message>
    <message>
        <source>Show Fit Map</source>
        <translation>看容量图</translation>
    </message>
    <message>
        <source>Show Lengths</source>
        <translation>看长度</translation>
    </message>
    <message>
        <source>Show Mistakes</source>
        <translation>看常见错误</translation>
    </message>
    <message>
        <source>Show Explain</source>
        <translation>看推导</translation>
    </message>
    <message>
        <source>Bring the page to the front that shows the answer; the lesson stays under its own tab.</source>
        <translation>把显示答案的页面放到前面；课程仍在它自己的标签页里。</translation>
    </message>
</context>
<context>
    <name>kv::LessonView</name>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Open Lesson…</source>
        <translation>打开课程…</translation>
    </message>
    <message>
        <source>Forget Progress</source>
        <translation>清除进度</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Start the lesson</source>
        <translation>开始课程</translation>
    </message>
    <message>
        <source>Start the chosen lesson; its scenario gets a tab of its own.</source>
        <translation>开始所选课程；它的方案放在单独的标签页中。</translation>
    </message>
    <message>
        <source>Your own scenario stays in its tab; undo takes the lesson&apos;s away.</source>
        <translation>你自己的方案留在它的标签页；撤销可去掉课程的方案。</translation>
    </message>
    <message>
        <source>Open a lesson</source>
        <translation>打开课程</translation>
    </message>
    <message>
        <source>Open a lesson from a file.</source>
        <translation>从文件打开课程。</translation>
    </message>
    <message>
        <source>A lesson is a small JSON file; its format stands in resources/lessons/README.md.</source>
        <translation>课程是一个小的 JSON 文件；格式见 resources/lessons/README.md。</translation>
    </message>
    <message>
        <source>Forget progress</source>
        <translation>清除进度</translation>
    </message>
    <message>
        <source>Begin all lessons anew: your guesses are forgotten.</source>
        <translation>全部课程从头开始：清除你的猜测。</translation>
    </message>
    <message>
        <source>The lessons themselves stay.</source>
        <translation>课程本身保留。</translation>
    </message>
    <message>
        <source>Reading the lessons…</source>
        <translation>正在读取课程…</translation>
    </message>
    <message>
        <source>A question, a guess, the answer on the charts. %1 of %2 done.</source>
        <translation>一个问题、一次猜测、图表上的答案。已完成&#xa0;%1&#xa0;/&#xa0;%2。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>Start Lesson</source>
        <translation>开始课程</translation>
    </message>
    <message>
        <source>End Lesson</source>
        <translation>结束课程</translation>
    </message>
    <message>
        <source>Lesson: </source>
        <translation>课程：</translation>
    </message>
    <message>
        <source>after your guess</source>
        <translation>猜测后显示</translation>
    </message>
    <message>
        <source>The lesson asks for this. It is shown with the answer.</source>
        <translation>这正是课程所问的，将与答案一起显示。</translation>
    </message>
</context>
<context>
    <name>kv::LeverButton</name>
    <message>
        <source>Point at a lever to see it on the charts, click to take it, Ctrl+Z to go back.</source>
        <translation>指向某项即可在图表上预览，点击采用，Ctrl+Z 恢复。</translation>
    </message>
    <message>
        <source>, fits</source>
        <translation>，放得下</translation>
    </message>
    <message>
        <source>, does not fit</source>
        <translation>，放不下</translation>
    </message>
</context>
<context>
    <name>kv::LeversView</name>
    <message>
        <source>a setting of the same server</source>
        <translation>同一服务的一项设置</translation>
    </message>
    <message>
        <source>less is asked for</source>
        <translation>减少要求</translation>
    </message>
    <message>
        <source>a quality risk</source>
        <translation>有质量风险</translation>
    </message>
    <message>
        <source>other software</source>
        <translation>换软件</translation>
    </message>
    <message>
        <source>other hardware</source>
        <translation>换硬件</translation>
    </message>
    <message>
        <source>Show All</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>None of the changes that were tried gains anything.</source>
        <translation>所尝试的改动都没有收益。</translation>
    </message>
    <message>
        <source>There is nothing to change until the settings agree.</source>
        <translation>设置一致之前，没有可改的内容。</translation>
    </message>
    <message>
        <source>1 sequence</source>
        <translation>1 个序列</translation>
    </message>
    <message>
        <source>%1 sequences</source>
        <translation>%1 个序列</translation>
    </message>
    <message>
        <source>To fit %1</source>
        <translation>要放下 %1</translation>
    </message>
    <message>
        <source>Nothing tried fits %1; nearest to it</source>
        <translation>所尝试的都放不下 %1；最接近的是</translation>
    </message>
    <message>
        <source>What would help most</source>
        <translation>最有帮助的</translation>
    </message>
    <message>
        <source>Each lever alone</source>
        <translation>各项单独使用</translation>
    </message>
    <message>
        <source>Show Fewer</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show All %1</source>
        <translation>全部显示（%1）</translation>
    </message>
    <message>
        <source>Take %1</source>
        <translation>采用 %1</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无上限</translation>
    </message>
    <message>
        <source>levers</source>
        <translation>levers</translation>
    </message>
    <message>
        <source>much slower</source>
        <translation>明显变慢</translation>
    </message>
</context>
<context>
    <name>kv::Loader</name>
    <message>
        <source>%1 holds no plan: pictures made by KV Planner carry theirs, as long as no other program has written them anew.</source>
        <translation>%1 中没有方案：KV Planner 生成的图片带有方案，除非被其他程序重新写过。</translation>
    </message>
    <message>
        <source>the clipboard</source>
        <translation>剪贴板</translation>
    </message>
</context>
<context>
    <name>kv::LogPanel</name>
    <message>
        <source>Calibrate</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>Close Log</source>
        <translation>关闭日志</translation>
    </message>
    <message>
        <source>The log beside the plan</source>
        <translation>日志与规划对照</translation>
    </message>
    <message>
        <source>Each figure that the log prints, beside the planned one, with the difference and its cause.</source>
        <translation>日志打印的每个数字与规划值并列，附差异及其原因。</translation>
    </message>
    <message>
        <source>Take over what the log measured in place of the estimates.</source>
        <translation>用日志的测量值代替估算。</translation>
    </message>
    <message>
        <source>Weights, overhead and memory of the GPU become what this server measured, marked as measured. Undo takes them back.</source>
        <translation>权重、开销和 GPU 显存改为该服务的测量值，并标为测量值。撤销可恢复。</translation>
    </message>
    <message>
        <source>Close the log</source>
        <translation>关闭日志</translation>
    </message>
    <message>
        <source>Put the log away; the scenario stays as it is.</source>
        <translation>收起日志；方案保持不变。</translation>
    </message>
    <message>
        <source>The log is a way to look: what was taken over from it stays in the scenario.</source>
        <translation>日志只用于查看：已采用的内容留在方案中。</translation>
    </message>
    <message>
        <source>%1 · a start of %2</source>
        <translation>%1 · %2 的一次启动</translation>
    </message>
    <message>
        <source>as logged</source>
        <translation>按日志</translation>
    </message>
    <message>
        <source>Logged</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Planned</source>
        <translation>规划</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>From the memory that the log prints: %1. </source>
        <translation>按日志打印的内存：%1。</translation>
    </message>
    <message>
        <source>No plan beside it: %1</source>
        <translation>没有对照的规划：%1</translation>
    </message>
    <message>
        <source>This start failed: %1</source>
        <translation>此次启动失败：%1</translation>
    </message>
    <message>
        <source>Mind</source>
        <translation>注意</translation>
    </message>
</context>
<context>
    <name>kv::MainWindow</name>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>What was assumed: shown under “Mind” in the explanation</source>
        <translation>所作的假设：见推导中的“注意”</translation>
    </message>
    <message>
        <source>There is no command to copy: what is planned here has no server of its own.</source>
        <translation>没有可复制的命令：此规划没有自己的服务。</translation>
    </message>
    <message>
        <source>! 1 thing to mind</source>
        <translation>! 1 项需注意</translation>
    </message>
    <message>
        <source>! %1 things to mind</source>
        <translation>! %1 项需注意</translation>
    </message>
    <message>
        <source>Counted in %1</source>
        <translation>计算用时 %1</translation>
    </message>
    <message>
        <source> · an estimate enters</source>
        <translation> · 含估算</translation>
    </message>
    <message>
        <source> · matches the textbook formula exactly</source>
        <translation> · 与教科书公式完全一致</translation>
    </message>
    <message>
        <source> · as %1 counts</source>
        <translation> · 按 %1 计算</translation>
    </message>
    <message>
        <source>not saved yet</source>
        <translation>尚未保存</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>已修改</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Plans and models (*.kvplan *.json *.gguf *.safetensors);;Traces of request lengths (*.csv *.tsv *.jsonl *.ndjson *.json);;Pictures with their plan (*.png *.pdf);;All files (*)</source>
        <translation>方案与模型 (*.kvplan *.json *.gguf *.safetensors);;请求长度 trace (*.csv *.tsv *.jsonl *.ndjson *.json);;带方案的图片 (*.png *.pdf);;全部文件 (*)</translation>
    </message>
    <message>
        <source>Open Log</source>
        <translation>打开日志</translation>
    </message>
    <message>
        <source>Logs (*.log *.txt *.out *.err);;All files (*)</source>
        <translation>日志 (*.log *.txt *.out *.err);;全部文件 (*)</translation>
    </message>
    <message>
        <source>Open Lesson</source>
        <translation>打开课程</translation>
    </message>
    <message>
        <source>Lessons (*.json);;All files (*)</source>
        <translation>课程 (*.json);;全部文件 (*)</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>正在读取 %1…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The clipboard holds no text and no file.</source>
        <translation>剪贴板中没有文本，也没有文件。</translation>
    </message>
    <message>
        <source>%1 was changed by another program since it was opened here; nothing was saved.</source>
        <translation>%1 打开之后被其他程序修改过；没有保存。</translation>
    </message>
    <message>
        <source>Save As…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Open Theirs</source>
        <translation>打开对方的版本</translation>
    </message>
    <message>
        <source>Save As</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>Plans (*.kvplan)</source>
        <translation>方案 (*.kvplan)</translation>
    </message>
    <message>
        <source>%1 could not be saved: %2. Nothing was changed there.</source>
        <translation>无法保存 %1：%2。原文件没有改动。</translation>
    </message>
    <message>
        <source>Untitled plan</source>
        <translation>未命名方案</translation>
    </message>
    <message>
        <source>%1 was changed by another program. What is shown here is as it was before.</source>
        <translation>%1 被其他程序修改过。此处显示的仍是之前的内容。</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新载入</translation>
    </message>
    <message>
        <source>%1, from which the model was read, was changed by another program.</source>
        <translation>%1（模型由此读取）被其他程序修改过。</translation>
    </message>
    <message>
        <source>Reload %1</source>
        <translation>重新载入 %1</translation>
    </message>
    <message>
        <source>Fill with Sequences</source>
        <translation>填满序列</translation>
    </message>
    <message>
        <source>Take Longest Context</source>
        <translation>采用最长上下文</translation>
    </message>
    <message>
        <source>Take Fewest GPUs</source>
        <translation>采用最少 GPU</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Pin to Compare</source>
        <translation>固定以对比</translation>
    </message>
    <message>
        <source>Pinned as “%1”: it stands beside this scenario under Compare.</source>
        <translation>已固定为“%1”：见“对比”，与此方案并列。</translation>
    </message>
    <message>
        <source>Duplicate Scenario</source>
        <translation>复制方案</translation>
    </message>
    <message>
        <source>%1, copy</source>
        <translation>%1（副本）</translation>
    </message>
    <message>
        <source>Remove Scenario</source>
        <translation>移除方案</translation>
    </message>
    <message>
        <source>Move Scenario</source>
        <translation>移动方案</translation>
    </message>
    <message>
        <source>Rename Scenario</source>
        <translation>重命名方案</translation>
    </message>
    <message>
        <source>Name of the scenario:</source>
        <translation>方案名称：</translation>
    </message>
    <message>
        <source>Paste Command</source>
        <translation>粘贴命令</translation>
    </message>
    <message>
        <source>The scenario is that of the pasted command now; undo takes it back.</source>
        <translation>方案已按粘贴的命令设置；可撤销。</translation>
    </message>
    <message>
        <source>Pasted log</source>
        <translation>粘贴的日志</translation>
    </message>
    <message>
        <source>The model of the log is not on this machine and no preset: compared with %1.</source>
        <translation>日志中的模型不在本机，也不是预设：与 %1 对照。</translation>
    </message>
    <message>
        <source>Fill from Log</source>
        <translation>按日志填写</translation>
    </message>
    <message>
        <source>The scenario is that of the log as far as it says; undo takes it back, and the log stays beside it.</source>
        <translation>方案已按日志所述设置；可撤销，日志留在旁边。</translation>
    </message>
    <message>
        <source>Calibrate</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>%1 holds nothing that can be planned.</source>
        <translation>%1 中没有可规划的内容。</translation>
    </message>
    <message>
        <source>length from %1</source>
        <translation>长度取自 %1</translation>
    </message>
    <message>
        <source>input from %1, no output</source>
        <translation>输入取自 %1，没有输出</translation>
    </message>
    <message>
        <source>output from %1, no input</source>
        <translation>输出取自 %1，没有输入</translation>
    </message>
    <message>
        <source>input from %1, output from %2</source>
        <translation>输入取自 %1，输出取自 %2</translation>
    </message>
    <message>
        <source>Reading the trace: %1 % of %2</source>
        <translation>正在读取 trace：%2 的 %1 %</translation>
    </message>
    <message>
        <source>Open Trace</source>
        <translation>打开 trace</translation>
    </message>
    <message>
        <source>Traces of request lengths (*.csv *.tsv *.jsonl *.ndjson *.json);;All files (*)</source>
        <translation>请求长度 trace (*.csv *.tsv *.jsonl *.ndjson *.json);;全部文件 (*)</translation>
    </message>
    <message>
        <source>Other columns need the trace itself, and %1 is not there any more.</source>
        <translation>改用其他列需要 trace 本身，而 %1 已不在那里。</translation>
    </message>
    <message>
        <source>its file</source>
        <translation>其文件</translation>
    </message>
    <message>
        <source>the clipboard</source>
        <translation>剪贴板</translation>
    </message>
    <message>
        <source>Lengths of %1</source>
        <translation>%1 的长度</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%2 的 %1：%3</translation>
    </message>
    <message>
        <source>1 request</source>
        <translation>1 个请求</translation>
    </message>
    <message>
        <source>%1 requests</source>
        <translation>%1 个请求</translation>
    </message>
    <message>
        <source>one length a line.</source>
        <translation>每行一个长度。</translation>
    </message>
    <message>
        <source>.</source>
        <translation>。</translation>
    </message>
    <message>
        <source>, guessed from their names.</source>
        <translation>，按列名推测。</translation>
    </message>
    <message>
        <source>Other Columns…</source>
        <translation>其他列…</translation>
    </message>
    <message>
        <source>Choose Columns…</source>
        <translation>选择列…</translation>
    </message>
    <message>
        <source>No lengths could be read.</source>
        <translation>无法读取任何长度。</translation>
    </message>
    <message>
        <source>Export Report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>Reports (*.html *.md *.tex)</source>
        <translation>报告 (*.html *.md *.tex)</translation>
    </message>
    <message>
        <source>Export Data</source>
        <translation>导出数据</translation>
    </message>
    <message>
        <source>Data (*.csv *.json)</source>
        <translation>数据 (*.csv *.json)</translation>
    </message>
    <message>
        <source>There is nothing to show of this until the settings agree.</source>
        <translation>设置一致之前，没有可显示的内容。</translation>
    </message>
    <message>
        <source>Save as Markdown</source>
        <translation>保存为 Markdown</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Save as CSV</source>
        <translation>保存为 CSV</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>The scenario that this was meant for is gone; nothing was changed.</source>
        <translation>这原本是给一个方案的，而该方案已不在；未作任何更改。</translation>
    </message>
    <message>
        <source>“%1” is that of the pasted command now; undo takes it back.</source>
        <translation>“%1”现在按粘贴的命令设置；撤销可恢复。</translation>
    </message>
    <message>
        <source>So many GPUs are the fewest in a split that people deploy; %1 would do by an odd one.</source>
        <translation>按通常部署的切分，这已是最少的 GPU 数；若采用不常见的切分，%1 个就够。</translation>
    </message>
    <message>
        <source>The lesson is not part of the file; a tab with another name is yours, and saved.</source>
        <translation>课程不会写入文件；改了名的标签页归您所有，会被保存。</translation>
    </message>
    <message>
        <source>What stands here cannot be kept for the next start (%1): it is lost with the program unless it is saved.</source>
        <translation>无法为下次启动保留这里的内容（%1）：若不保存，程序结束后即丢失。</translation>
    </message>
    <message>
        <source>Not counted: these settings have no plan</source>
        <translation>未计算：这些设置没有可行的规划</translation>
    </message>
    <message>
        <source>%1 is not there any more. Save writes it anew.</source>
        <translation>%1 已不存在。保存会重新写入。</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
</context>
<context>
    <name>kv::MessageStrip</name>
    <message>
        <source>Close the message</source>
        <translation>关闭消息</translation>
    </message>
    <message>
        <source>Close the message (Escape)</source>
        <translation>关闭消息（Esc）</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Mind</source>
        <translation>注意</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
</context>
<context>
    <name>kv::MistakesView</name>
    <message>
        <source>What the mistakes are shown of</source>
        <translation>显示哪种错误的影响</translation>
    </message>
    <message>
        <source>a token</source>
        <translation>每个 token</translation>
    </message>
    <message>
        <source>What one token costs</source>
        <translation>一个 token 的开销</translation>
    </message>
    <message>
        <source>a sequence</source>
        <translation>每个序列</translation>
    </message>
    <message>
        <source>What one sequence holds at this context</source>
        <translation>此上下文下一个序列保留的内容</translation>
    </message>
    <message>
        <source>all sequences</source>
        <translation>全部序列</translation>
    </message>
    <message>
        <source>What all sequences hold together</source>
        <translation>全部序列合计保留的内容</translation>
    </message>
    <message>
        <source>The right value and what each mistake would say</source>
        <translation>正确值，以及每种错误会得出的值</translation>
    </message>
    <message>
        <source>The cache of this model counted once more with each common mistake made. Point at one to see on the charts what its plan would look like.</source>
        <translation>对该模型的缓存，按每种常见错误重新计算。指向某项，可在图表上看到那样的规划。</translation>
    </message>
    <message>
        <source>What common mistakes say of</source>
        <translation>常见错误对此的说法：</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>None of the common mistakes changes this figure for this model.</source>
        <translation>常见错误都不会改变该模型的这个数字。</translation>
    </message>
    <message>
        <source>mistakes</source>
        <translation>mistakes</translation>
    </message>
</context>
<context>
    <name>kv::ModelPanel</name>
    <message>
        <source>O&amp;pen…</source>
        <translation>打开(&amp;P)…</translation>
    </message>
    <message>
        <source>From the H&amp;ub…</source>
        <translation>从 Hub 获取(&amp;U)…</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The model that is served.</source>
        <translation>要服务的模型。</translation>
    </message>
    <message>
        <source>The model that is served. Its config says how many layers cache, and how much each token costs. Type a name, a maker, a kind of attention or a size to search.</source>
        <translation>要服务的模型。它的 config 说明有多少层需要缓存，以及每个 token 的开销。输入名称、厂商、注意力类型或大小即可搜索。</translation>
    </message>
    <message>
        <source>Search %1 models</source>
        <translation>搜索 %1 个模型</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Plan for a model of your own, from its config.json, its folder or its GGUF file.</source>
        <translation>用你自己的模型规划：它的 config.json、文件夹或 GGUF 文件。</translation>
    </message>
    <message>
        <source>Reads a config.json, a model folder, a .gguf or a .safetensors file from disk. You can also drop one anywhere on the window.</source>
        <translation>从磁盘读取 config.json、模型文件夹、.gguf 或 .safetensors 文件。也可以把它拖到窗口的任意位置。</translation>
    </message>
    <message>
        <source>From the Hub</source>
        <translation>从 Hub 获取</translation>
    </message>
    <message>
        <source>Plan for a model on the Hub, by its name.</source>
        <translation>按名称用 Hub 上的模型规划。</translation>
    </message>
    <message>
        <source>Fetches the config and the headers of the weights of a model on the Hugging Face Hub, never the weights. Nothing is fetched before you say so.</source>
        <translation>获取 Hugging Face Hub 上模型的 config 和权重文件头，从不下载权重。在你同意之前不会获取任何内容。</translation>
    </message>
    <message>
        <source>This model cannot be read.</source>
        <translation>无法读取该模型。</translation>
    </message>
    <message>
        <source>Choose %1</source>
        <translation>选择 %1</translation>
    </message>
</context>
<context>
    <name>kv::OwnGpuDialog</name>
    <message>
        <source>Own GPU</source>
        <translation>自己的 GPU</translation>
    </message>
    <message>
        <source>Which GPU</source>
        <translation>哪个 GPU</translation>
    </message>
    <message>
        <source>A new one, or one of yours to change or remove.</source>
        <translation>新建一个，或修改、移除你自己的一个。</translation>
    </message>
    <message>
        <source>Your own GPUs are kept in gpus.json of the program&apos;s data folder.</source>
        <translation>你自己的 GPU 保存在程序数据文件夹的 gpus.json 中。</translation>
    </message>
    <message>
        <source>&amp;GPU</source>
        <translation>GPU(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>My workstation card</source>
        <translation>我的工作站显卡</translation>
    </message>
    <message>
        <source>What it is called in lists and pictures.</source>
        <translation>在列表和图片中的名称。</translation>
    </message>
    <message>
        <source>&amp;Memory</source>
        <translation>显存(&amp;M)</translation>
    </message>
    <message>
        <source>24 GB</source>
        <translation>24 GB</translation>
    </message>
    <message>
        <source>As on the box: 24 GB. Or what a program gets: 24 GiB, 24095 MiB.</source>
        <translation>按包装：24 GB。或按程序得到的：24 GiB、24095 MiB。</translation>
    </message>
    <message>
        <source>A program gets</source>
        <translation>程序可得</translation>
    </message>
    <message>
        <source>24095 MiB (if known)</source>
        <translation>24095 MiB（如已知）</translation>
    </message>
    <message>
        <source>What CUDA, ROCm or Metal gives a program, which is less than the label. The engines count from it; without it they count the label, and say so.</source>
        <translation>CUDA、ROCm 或 Metal 给程序的显存，比标称少。引擎按它计算；没有它就按标称计算，并予以说明。</translation>
    </message>
    <message>
        <source>&amp;Bandwidth</source>
        <translation>带宽(&amp;B)</translation>
    </message>
    <message>
        <source>1.01 TB/s (if known)</source>
        <translation>1.01 TB/s（如已知）</translation>
    </message>
    <message>
        <source>Of its memory: the bound of decoding hangs on it.</source>
        <translation>显存带宽：解码的界限由它决定。</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Whether it has memory of its own.</source>
        <translation>是否有自己的显存。</translation>
    </message>
    <message>
        <source>Discrete: memory of its own. Unified: the computer&apos;s memory, as in a Mac.</source>
        <translation>独立：有自己的显存。统一：用计算机的内存，如 Mac。</translation>
    </message>
    <message>
        <source>discrete: memory of its own</source>
        <translation>独立：有自己的显存</translation>
    </message>
    <message>
        <source>unified: the computer&apos;s memory</source>
        <translation>统一：用计算机的内存</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>种类(&amp;K)</translation>
    </message>
    <message>
        <source>Cards per n&amp;ode</source>
        <translation>每节点卡数(&amp;O)</translation>
    </message>
    <message>
        <source>8 (if known)</source>
        <translation>8（如已知）</translation>
    </message>
    <message>
        <source>How many of them a node has, where nodes are counted.</source>
        <translation>按节点计算时，每个节点有多少张。</translation>
    </message>
    <message>
        <source>Mak&amp;er</source>
        <translation>厂商(&amp;E)</translation>
    </message>
    <message>
        <source>NVIDIA, AMD, Apple (if it matters)</source>
        <translation>NVIDIA、AMD、Apple（如有关系）</translation>
    </message>
    <message>
        <source>Engines reserve more on some makers&apos; cards.</source>
        <translation>引擎在某些厂商的卡上预留更多。</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>a new one</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>添加(&amp;A)</translation>
    </message>
</context>
<context>
    <name>kv::Picture</name>
    <message>
        <source>KV Planner</source>
        <translation>KV Planner</translation>
    </message>
    <message>
        <source>%1: a picture can be written as .png, .svg or .pdf; found “.%2”.</source>
        <translation>%1：图片可写成 .png、.svg 或 .pdf；实际是“.%2”。</translation>
    </message>
    <message>
        <source>%1 could not be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>There is not enough memory to paint this picture; a smaller one takes less.</source>
        <translation>内存不足，无法绘制这张图片；较小的图片占用更少。</translation>
    </message>
</context>
<context>
    <name>kv::Pin</name>
    <message>
        <source>1 GPU</source>
        <translation>1 个 GPU</translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation>%1 个 GPU</translation>
    </message>
    <message>
        <source>%1 cache, %2</source>
        <translation>%1 缓存，%2</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>kv::PrecisionPanel</name>
    <message>
        <source>Keep keys and values in %1.</source>
        <translation>键和值以 %1 保存。</translation>
    </message>
    <message>
        <source>Si&amp;ze</source>
        <translation>大小(&amp;Z)</translation>
    </message>
    <message>
        <source>&amp;Weights</source>
        <translation>权重(&amp;W)</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>The type the weights are stored in, and their size.</source>
        <translation>权重的保存类型及其大小。</translation>
    </message>
    <message>
        <source>What the weights take is not there for the cache. As stored is what the model&apos;s files hold; another type is an estimate from the number of parameters, with embedding, head and norms left in 16 bit.</source>
        <translation>权重占用的部分不能用于缓存。“按保存的类型”指模型文件中的类型；其他类型按参数量估算，嵌入、输出头和归一化层仍按 16 bit。</translation>
    </message>
    <message>
        <source>Size of the weights</source>
        <translation>权重大小</translation>
    </message>
    <message>
        <source>The size of the weights by hand: 141.1 GB, 35 GiB.</source>
        <translation>手动给出权重大小：141.1 GB、35 GiB。</translation>
    </message>
    <message>
        <source>Wins over what the model&apos;s files say.</source>
        <translation>优先于模型文件所述。</translation>
    </message>
    <message>
        <source>KV cache type</source>
        <translation>KV 缓存类型</translation>
    </message>
    <message>
        <source>The type that keys and values are kept in.</source>
        <translation>键和值的保存类型。</translation>
    </message>
    <message>
        <source>Every token keeps a key and a value at each layer; half the bits are half the memory.</source>
        <translation>每个 token 在每层保留一个键和一个值；位数减半，内存减半。</translation>
    </message>
    <message>
        <source>more…</source>
        <translation>更多…</translation>
    </message>
    <message>
        <source>Change Size of Weights</source>
        <translation>更改权重大小</translation>
    </message>
    <message>
        <source>&amp;KV cache</source>
        <translation>KV 缓存(&amp;K)</translation>
    </message>
    <message>
        <source>As stored · size not known</source>
        <translation>按保存的类型 · 大小未知</translation>
    </message>
    <message>
        <source>By hand</source>
        <translation>手动</translation>
    </message>
    <message>
        <source>By hand…</source>
        <translation>手动…</translation>
    </message>
    <message>
        <source>The type the weights are stored in, and their size: %1%2.</source>
        <translation>权重的保存类型及其大小：%1%2。</translation>
    </message>
    <message>
        <source>, an estimate</source>
        <translation>，估算</translation>
    </message>
    <message>
        <source>&amp;Keys Alone</source>
        <translation>仅键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Values Alone</source>
        <translation>仅值(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Automatic: what %1 takes by itself</source>
        <translation>自动：由 %1 自行选择(&amp;A)</translation>
    </message>
    <message>
        <source>Give Size of Weights</source>
        <translation>给出权重大小</translation>
    </message>
    <message>
        <source>Change Type of Weights</source>
        <translation>更改权重类型</translation>
    </message>
    <message>
        <source>Change KV Cache Type</source>
        <translation>更改 KV 缓存类型</translation>
    </message>
    <message>
        <source>%1 %2 would not start with it on these cards: its kernels need Blackwell.</source>
        <translation>%1%2 在这些卡上用它无法启动：其内核需要 Blackwell。</translation>
    </message>
</context>
<context>
    <name>kv::Presentation</name>
    <message>
        <source>Change Context</source>
        <translation>更改上下文</translation>
    </message>
    <message>
        <source>Change Sequences</source>
        <translation>更改序列数</translation>
    </message>
    <message>
        <source>← → context · ↑ ↓ sequences · with Shift doubled · 1–9, 0 views · Space next step · Esc ends</source>
        <translation>← → 上下文 · ↑ ↓ 序列数 · 加 Shift 为加倍 · 1–9、0 视图 · 空格 下一步 · Esc 结束</translation>
    </message>
</context>
<context>
    <name>kv::Printing</name>
    <message>
        <source>KV Planner</source>
        <translation>KV Planner</translation>
    </message>
</context>
<context>
    <name>kv::Program</name>
    <message>
        <source>The program ended unexpectedly. This is what stood here.</source>
        <translation>程序意外结束。这是当时的内容。</translation>
    </message>
    <message>
        <source>A window of the last run could not be read; it is kept in %1.</source>
        <translation>上次运行的一个窗口无法读取；它仍保留在 %1。</translation>
    </message>
    <message>
        <source>Windows of the last run could not be read; they are kept in %1.</source>
        <translation>上次运行的一些窗口无法读取；它们仍保留在 %1。</translation>
    </message>
</context>
<context>
    <name>kv::QuantityEdit</name>
    <message>
        <source>“%1” is no number that can be read here.</source>
        <translation>“%1”不是可读取的数字。</translation>
    </message>
</context>
<context>
    <name>kv::RatePopup</name>
    <message>
        <source>Sequences from a request rate</source>
        <translation>由请求速率得出序列数</translation>
    </message>
    <message>
        <source>&amp;Requests</source>
        <translation>请求(&amp;R)</translation>
    </message>
    <message>
        <source>a second</source>
        <translation>每秒</translation>
    </message>
    <message>
        <source>Requests that arrive in a second, on average: 12 or 0.5.</source>
        <translation>平均每秒到达的请求数：12 或 0.5。</translation>
    </message>
    <message>
        <source>&amp;One takes</source>
        <translation>每个请求(&amp;O)</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>Seconds from a request’s arrival to its last token, on average.</source>
        <translation>从请求到达到最后一个 token 的平均秒数。</translation>
    </message>
    <message>
        <source>From a request rate</source>
        <translation>由请求速率得出</translation>
    </message>
    <message>
        <source>%1 × %2 s = %3 in flight</source>
        <translation>%1 × %2 s = 进行中 %3</translation>
    </message>
    <message>
        <source>That is more than can be counted.</source>
        <translation>超出可计算的范围。</translation>
    </message>
    <message>
        <source>Both are numbers of 0 or more, such as 12 and 20.</source>
        <translation>两者都应为不小于 0 的数，例如 12 和 20。</translation>
    </message>
    <message>
        <source>Rate × seconds = sequences in flight</source>
        <translation>速率 × 秒数 = 进行中的序列数</translation>
    </message>
    <message>
        <source>The %1 of now carry %2 requests a second.</source>
        <translation>现在的 %1 个可承载每秒 %2 个请求。</translation>
    </message>
    <message>
        <source>In the long run, for any arrivals (Little’s law).</source>
        <translation>长期平均，与到达方式无关（利特尔法则）。</translation>
    </message>
    <message>
        <source>&amp;Use %1</source>
        <translation>使用 %1(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Use</source>
        <translation>使用(&amp;U)</translation>
    </message>
</context>
<context>
    <name>kv::RecentFiles</name>
    <message>
        <source>&amp;Clear List</source>
        <translation>清空列表(&amp;C)</translation>
    </message>
    <message>
        <source>%1 is not there any more</source>
        <translation>%1 已不在那里</translation>
    </message>
</context>
<context>
    <name>kv::Report</name>
    <message>
        <source>Memory of each GPU</source>
        <translation>每个 GPU 的显存</translation>
    </message>
    <message>
        <source>Growth with context</source>
        <translation>随上下文增长</translation>
    </message>
</context>
<context>
    <name>kv::ScenarioTabs</name>
    <message>
        <source>Scenario %1</source>
        <translation>方案 %1</translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>The scenarios of this plan. Duplicate one to try something else beside it; drag the tabs to order them, click one twice to name it.</source>
        <translation>此文件中的方案。复制一个以便尝试别的；拖动标签页调整顺序，双击命名。</translation>
    </message>
</context>
<context>
    <name>kv::SearchPopup</name>
    <message>
        <source>Nothing matches</source>
        <translation>没有匹配项</translation>
    </message>
</context>
<context>
    <name>kv::SettingsChart</name>
    <message>
        <source>Map of settings: GPUs against types</source>
        <translation>设置图：GPU 数与类型</translation>
    </message>
    <message>
        <source>Every cell is a number of GPUs with a type of weights and of cache, and says how many sequences fit. Click one, or walk there with the arrow keys and press Enter, to plan with it.</source>
        <translation>每格是一个 GPU 数与权重、缓存类型的组合，给出放得下的序列数。点击某格，或用方向键移到那里按回车，即可采用。</translation>
    </message>
    <message>
        <source>GPUs × types</source>
        <translation>GPU × 类型</translation>
    </message>
    <message>
        <source>GPUs × types, for %1</source>
        <translation>GPU × 类型，%1</translation>
    </message>
</context>
<context>
    <name>kv::SettingsPicture</name>
    <message>
        <source>The map is being counted …</source>
        <translation>正在计算容量图…</translation>
    </message>
    <message>
        <source>%1 weights</source>
        <translation>%1 权重</translation>
    </message>
    <message>
        <source>%1 cache</source>
        <translation>%1 缓存</translation>
    </message>
    <message>
        <source>now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Unlike cards are not varied here: the map counts cards of one kind.</source>
        <translation>不同的卡在此不作变化：此图只计算同一种卡。</translation>
    </message>
    <message>
        <source>There are no settings to vary here.</source>
        <translation>这里没有可变化的设置。</translation>
    </message>
    <message>
        <source>stored</source>
        <translation>按保存的类型</translation>
    </message>
    <message>
        <source>1 GPU</source>
        <translation>1 个 GPU</translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation>%1 个 GPU</translation>
    </message>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>not taken</source>
        <translation>不支持</translation>
    </message>
    <message>
        <source>✓ any</source>
        <translation>✓ 任意</translation>
    </message>
    <message>
        <source>✓ no limit</source>
        <translation>✓ 无上限</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>no: no room</source>
        <translation>否：没有空间</translation>
    </message>
    <message>
        <source>✓ %1</source>
        <translation>✓ %1</translation>
    </message>
    <message>
        <source>✕ %1</source>
        <translation>✕ %1</translation>
    </message>
    <message>
        <source>1 user</source>
        <translation>1 个用户</translation>
    </message>
    <message>
        <source>%1 users</source>
        <translation>%1 个用户</translation>
    </message>
    <message>
        <source>no: %1</source>
        <translation>否：%1</translation>
    </message>
    <message>
        <source>%1 · %2 cache · %3 weights</source>
        <translation>%1 · %2 缓存 · %3 权重</translation>
    </message>
    <message>
        <source>%1 × %2 tokens</source>
        <translation>%1 × %2 个 token</translation>
    </message>
    <message>
        <source>Cheapest that fits: %1</source>
        <translation>放得下的最省方案：%1</translation>
    </message>
    <message>
        <source>Nothing here fits %1</source>
        <translation>此处都放不下 %1</translation>
    </message>
    <message>
        <source>Take %1</source>
        <translation>采用 %1</translation>
    </message>
    <message>
        <source>The map is being counted.</source>
        <translation>正在计算容量图。</translation>
    </message>
    <message>
        <source>How many sequences of %1 tokens fit, by GPUs and types; %2 are planned. %3.</source>
        <translation>%1 个 token 的序列按 GPU 数和类型能放下多少；计划 %2 个。%3。</translation>
    </message>
    <message>
        <source>Now: %1, %2.</source>
        <translation>当前：%1，%2。</translation>
    </message>
    <message>
        <source>✓ %1 sequences fit</source>
        <translation>✓ 放得下 %1 个序列</translation>
    </message>
    <message>
        <source>✕ %1 sequences do not fit</source>
        <translation>✕ 放不下 %1 个序列</translation>
    </message>
    <message>
        <source>Most sequences</source>
        <translation>最多序列数</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无上限</translation>
    </message>
    <message>
        <source>Room for</source>
        <translation>还可容纳</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 个</translation>
    </message>
    <message>
        <source>The cheapest that fits</source>
        <translation>放得下的最省方案</translation>
    </message>
    <message>
        <source>These are the present settings</source>
        <translation>这是当前设置</translation>
    </message>
    <message>
        <source>Click or Enter: %1</source>
        <translation>点击或回车：%1</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>%1 weights, %2 cache</source>
        <translation>%1 权重，%2 缓存</translation>
    </message>
</context>
<context>
    <name>kv::Stored</name>
    <message>
        <source>On this machine · %1</source>
        <translation>本机 · %1</translation>
    </message>
    <message>
        <source>config only</source>
        <translation>仅 config</translation>
    </message>
    <message>
        <source>On this machine · fetched from the Hub</source>
        <translation>本机 · 从 Hub 获取</translation>
    </message>
    <message>
        <source>config and headers</source>
        <translation>config 和文件头</translation>
    </message>
</context>
<context>
    <name>kv::Tile</name>
    <message>
        <source>Copy “%1”</source>
        <translation>复制“%1”</translation>
    </message>
    <message>
        <source>Copy Exact Figure</source>
        <translation>复制精确数字</translation>
    </message>
</context>
<context>
    <name>kv::Tiles</name>
    <message>
        <source>KV per token</source>
        <translation>每个 token 的 KV</translation>
    </message>
    <message>
        <source>One token at all layers: %1</source>
        <translation>一个 token 在所有层：%1</translation>
    </message>
    <message>
        <source>
The next token adds %1 B.</source>
        <translation>
下一个 token 增加 %1 B。</translation>
    </message>
    <message>
        <source>KV per sequence</source>
        <translation>每个序列的 KV</translation>
    </message>
    <message>
        <source>at one token</source>
        <translation>1 个 token 时</translation>
    </message>
    <message>
        <source>at %1 tokens</source>
        <translation>%1 个 token 时</translation>
    </message>
    <message>
        <source>One sequence of %1 tokens: %2</source>
        <translation>一个 %1 个 token 的序列：%2</translation>
    </message>
    <message>
        <source>
Of it whatever the length: %1</source>
        <translation>
其中与长度无关：%1</translation>
    </message>
    <message>
        <source>1 sequence</source>
        <translation>1 个序列</translation>
    </message>
    <message>
        <source>%1 sequences</source>
        <translation>%1 个序列</translation>
    </message>
    <message>
        <source>KV in all</source>
        <translation>KV 合计</translation>
    </message>
    <message>
        <source>%1 on all GPUs: %2</source>
        <translation>%1，全部 GPU 合计：%2</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>estimate · </source>
        <translation>估算 · </translation>
    </message>
    <message>
        <source>give them by hand</source>
        <translation>请手动给出</translation>
    </message>
    <message>
        <source>Weights, %1, %2: %3</source>
        <translation>权重，%1，%2：%3</translation>
    </message>
    <message>
        <source>
One of %1 replicas.</source>
        <translation>
共 %1 个副本，这是其中一个。</translation>
    </message>
    <message>
        <source>Short by</source>
        <translation>缺口</translation>
    </message>
    <message>
        <source>%1 a GPU</source>
        <translation>每个 GPU %1</translation>
    </message>
    <message>
        <source>Memory that is missing: %1</source>
        <translation>缺少的显存：%1</translation>
    </message>
    <message>
        <source>Left free</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>of all GPUs</source>
        <translation>全部 GPU 合计</translation>
    </message>
    <message>
        <source>Memory that stays free: %1</source>
        <translation>剩余的显存：%1</translation>
    </message>
    <message>
        <source>after %1 % reserve</source>
        <translation>已扣除 %1 % 预留</translation>
    </message>
    <message>
        <source>Longest context</source>
        <translation>最长上下文</translation>
    </message>
    <message>
        <source>none fits</source>
        <translation>都放不下</translation>
    </message>
    <message>
        <source>the model’s limit</source>
        <translation>模型上限</translation>
    </message>
    <message>
        <source>for 1 sequence</source>
        <translation>对 1 个序列</translation>
    </message>
    <message>
        <source>for %1 sequences</source>
        <translation>对 %1 个序列</translation>
    </message>
    <message>
        <source>The longest context at which %1 sequences fit: %2 tokens.</source>
        <translation>%1 个序列放得下的最长上下文：%2 个 token。</translation>
    </message>
    <message>
        <source>%1 on GPU %2</source>
        <translation>GPU %2 上 %1</translation>
    </message>
    <message>
        <source>
On %1 of %2 GPUs; the others have memory left that does not help them.</source>
        <translation>
%2 个 GPU 中有 %1 个不够；其余的有剩余显存，但帮不上忙。</translation>
    </message>
    <message>
        <source>
This is what the attention must keep. The engine takes for it on the fullest GPU: %1</source>
        <translation>
这是注意力必须保留的部分。引擎在最满的 GPU 上为它占用：%1</translation>
    </message>
    <message>
        <source>%1 on a GPU</source>
        <translation>单块 GPU 上 %1</translation>
    </message>
</context>
<context>
    <name>kv::TimesOff</name>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>%1 times the right value</source>
        <translation>正确值的 %1 倍</translation>
    </message>
    <message>
        <source>%1 % too much</source>
        <translation>偏大 %1 %</translation>
    </message>
    <message>
        <source>%1 % too little</source>
        <translation>偏小 %1 %</translation>
    </message>
    <message>
        <source>half of the right value</source>
        <translation>正确值的一半</translation>
    </message>
    <message>
        <source>the right value is %1 times this</source>
        <translation>正确值是它的 %1 倍</translation>
    </message>
</context>
<context>
    <name>kv::TraceDialog</name>
    <message>
        <source>Columns of %1</source>
        <translation>%1 的列</translation>
    </message>
    <message>
        <source>The first rows. What is chosen below was guessed from the names of the columns, unless you chose it.</source>
        <translation>前几行。下面的选择是按列名推测的，除非你选过。</translation>
    </message>
    <message>
        <source>The first rows. No column tells by its name that it is a length: choose them.</source>
        <translation>前几行。没有列名表明是长度：请选择。</translation>
    </message>
    <message>
        <source>&amp;Input</source>
        <translation>输入(&amp;I)</translation>
    </message>
    <message>
        <source>Tokens of the prompt.</source>
        <translation>提示词的 token 数。</translation>
    </message>
    <message>
        <source>&amp;Output</source>
        <translation>输出(&amp;O)</translation>
    </message>
    <message>
        <source>Tokens of the answer; added to the input.</source>
        <translation>回答的 token 数；加到输入上。</translation>
    </message>
    <message>
        <source>or &amp;total</source>
        <translation>或合计(&amp;T)</translation>
    </message>
    <message>
        <source>Both in one column, in place of input and output.</source>
        <translation>两者在同一列，代替输入和输出。</translation>
    </message>
    <message>
        <source>&amp;Use</source>
        <translation>使用(&amp;U)</translation>
    </message>
    <message>
        <source>First rows of the trace</source>
        <translation>trace 的前几行</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>column %1</source>
        <translation>第 %1 列</translation>
    </message>
    <message>
        <source>Choose the column of the input, of the output, or of both together.</source>
        <translation>请选择输入列、输出列，或两者合计的列。</translation>
    </message>
    <message>
        <source>The first request has %1 tokens.</source>
        <translation>第一个请求有 %1 个 token。</translation>
    </message>
    <message>
        <source>The first row has no number there.</source>
        <translation>第一行的该列没有数字。</translation>
    </message>
</context>
<context>
    <name>kv::VerdictBar</name>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>Fits, but only just</source>
        <translation>放得下，但很紧</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>Not planned</source>
        <translation>未规划</translation>
    </message>
</context>
<context>
    <name>kv::Views</name>
    <message>
        <source>Fit map</source>
        <translation>容量图</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>容量图</translation>
    </message>
    <message>
        <source>&amp;Fit Map</source>
        <translation>容量图(&amp;F)</translation>
    </message>
    <message>
        <source>What fits, over context and sequences, and over GPUs and types</source>
        <translation>在上下文与序列数、GPU 数与类型的范围内是否放得下</translation>
    </message>
    <message>
        <source>Lengths</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>&amp;Lengths of Requests</source>
        <translation>请求长度(&amp;L)</translation>
    </message>
    <message>
        <source>How unlike lengths add up, against the room there is</source>
        <translation>长短不一的请求合计占用多少，相对可用空间</translation>
    </message>
    <message>
        <source>Mistakes</source>
        <translation>常见错误</translation>
    </message>
    <message>
        <source>Common &amp;Mistakes</source>
        <translation>常见错误(&amp;M)</translation>
    </message>
    <message>
        <source>What common mistakes would have answered in the place of the right value</source>
        <translation>常见错误会用什么代替正确值</translation>
    </message>
    <message>
        <source>Capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>Capacit&amp;y</source>
        <translation>容量(&amp;Y)</translation>
    </message>
    <message>
        <source>The most users, the longest context, the fewest GPUs; a fleet; what bounds decoding</source>
        <translation>最多用户、最长上下文、最少 GPU；集群；解码的界限</translation>
    </message>
    <message>
        <source>Levers</source>
        <translation>优化</translation>
    </message>
    <message>
        <source>Le&amp;vers</source>
        <translation>优化(&amp;V)</translation>
    </message>
    <message>
        <source>The ways to make it fit, or fit more, each evaluated</source>
        <translation>使其放得下或放下更多的方法，逐一计算</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>对比(&amp;C)</translation>
    </message>
    <message>
        <source>The scenarios of this plan side by side, with what differs</source>
        <translation>此文件中的方案并列，并列出差异</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation>课程(&amp;L)</translation>
    </message>
    <message>
        <source>Short exercises over the live window: a question, a guess, the answer on the charts</source>
        <translation>在实际窗口上的短练习：一个问题、一次猜测、图表上的答案</translation>
    </message>
</context>
<context>
    <name>kv::WorkloadPanel</name>
    <message>
        <source>&amp;Context per sequence</source>
        <translation>每个序列的上下文(&amp;C)</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Tokens that each sequence holds at the end, prompt and output together.</source>
        <translation>每个序列结束时的 token 数，提示词与输出合计。</translation>
    </message>
    <message>
        <source>Multiplies the bytes of one token. The mark on the slider is the longest context the model was made for. Type 131072, 128k or 0.5M: k is 1,024 here.</source>
        <translation>乘以一个 token 的字节数。滑块上的标记是模型设计的最长上下文。可输入 131072、128k 或 0.5M：此处 k 为 1,024。</translation>
    </message>
    <message>
        <source>Se&amp;quences at once</source>
        <translation>同时的序列数(&amp;Q)</translation>
    </message>
    <message>
        <source>sequences</source>
        <translation>个序列</translation>
    </message>
    <message>
        <source>Sequences that are served at the same time.</source>
        <translation>同时服务的序列数。</translation>
    </message>
    <message>
        <source>Each holds its own context, so the cache is multiplied by this. Type 200 or 1k: k is 1,000 here.</source>
        <translation>每个序列有自己的上下文，因此缓存乘以此数。可输入 200 或 1k：此处 k 为 1,000。</translation>
    </message>
    <message>
        <source>Shared prefi&amp;x</source>
        <translation>共享前缀(&amp;X)</translation>
    </message>
    <message>
        <source>Tokens at the start that all sequences share, such as a system prompt; part of the context.</source>
        <translation>所有序列开头共享的 token 数，例如系统提示词；是上下文的一部分。</translation>
    </message>
    <message>
        <source>Kept once instead of once a sequence, by the layers that cache every token. Type a number of tokens, or a share of the context such as 25 %.</source>
        <translation>由缓存每个 token 的层只存一份，而不是每个序列一份。可输入 token 数，或上下文的比例，例如 25 %。</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>From a rate…</source>
        <translation>由速率…</translation>
    </message>
    <message>
        <source>Sequences from a request rate</source>
        <translation>由请求速率得出序列数</translation>
    </message>
    <message>
        <source>From a request rate: requests a second × seconds a request.</source>
        <translation>由请求速率得出：每秒请求数 × 每个请求的秒数。</translation>
    </message>
    <message>
        <source>Little’s law: sequences in flight are the requests that arrive in a second times the seconds that one takes.</source>
        <translation>利特尔法则：进行中的序列数等于每秒到达的请求数乘以每个请求的秒数。</translation>
    </message>
    <message>
        <source>Change Sequences</source>
        <translation>更改序列数</translation>
    </message>
    <message>
        <source>Change Context</source>
        <translation>更改上下文</translation>
    </message>
    <message>
        <source>Change Shared Prefix</source>
        <translation>更改共享前缀</translation>
    </message>
</context>
</TS>
